/** A line of a panel, with its name at its end. */
export interface Line {
  name: string;
  points: readonly (readonly [x: number, y: number])[];
  /** The end is where something is full, and has a dot. */
  isFull: boolean;
}

export interface Panel {
  title: string;
  /** Its steps are powers of ten, as those of people below. */
  range: readonly [from: number, to: number];
  toLabel(value: number): string;
  lines: readonly Line[];
  /** A line across, with its words. */
  bound?: { at: number; text: string };
}

const WIDTH = 960;
const HEIGHT = 440;
const PLOT = { width: 350, height: 300, top: 78, lefts: [78, 546] };
const PEOPLE = [1_000, 1_000_000] as const;
const COLOURS = ["#0b4a63", "#1b7a8c", "#4d7c0f", "#b45309", "#9d174d", "#5b21b6"];
/** A paper of its own: it is read on pages of any colour. */
const COLOUR = { paper: "#fbfbf9", ink: "#191c1f", quiet: "#494f55", grid: "#dcdfdb", bound: "#b91c1c" };
const LABEL_GAP = 13;

const toShare = (value: number, [from, to]: readonly [number, number]) =>
  Math.log(value / from) / Math.log(to / from);

const listPowers = ([from, to]: readonly [number, number]) =>
  Array.from({ length: Math.round(Math.log10(to / from)) + 1 }, (_, index) => from * 10 ** index);

interface TextOptions {
  anchor?: "start" | "middle" | "end";
  size?: number;
  colour?: string;
  isBold?: boolean;
}

function text(x: number, y: number, words: string, options: TextOptions = {}): string {
  const { anchor = "start", size = 13, colour = COLOUR.ink, isBold = false } = options;
  const weight = isBold ? ' font-weight="600"' : "";
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="${size}" fill="${colour}"${weight}>${words}</text>`;
}

function rule(from: readonly [number, number], to: readonly [number, number], colour: string, width = 1) {
  const [x1, y1, x2, y2] = [...from, ...to].map((value) => value.toFixed(1));
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}" stroke-width="${width}"/>`;
}

/** Names that would lie upon each other are moved apart, downwards from the highest. */
function spread(labels: readonly { x: number; y: number }[]): number[] {
  const order = labels.map((_, index) => index).sort((a, b) => (labels[a]?.y ?? 0) - (labels[b]?.y ?? 0));
  const placed = new Map<number, number>();
  for (const index of order) {
    const { x, y } = labels[index] ?? { x: 0, y: 0 };
    const above = order.filter((other) => placed.has(other) && Math.abs((labels[other]?.x ?? 0) - x) < 30);
    const lowest = Math.max(...above.map((other) => placed.get(other) ?? 0), Number.NEGATIVE_INFINITY);
    placed.set(index, Math.max(y, lowest + LABEL_GAP));
  }
  return labels.map((_, index) => placed.get(index) ?? 0);
}

function drawPanel({ title, range, toLabel, lines, bound }: Panel, left: number): string {
  const { width, height, top } = PLOT;
  const bottom = top + height;
  const toX = (people: number) => left + toShare(people, PEOPLE) * width;
  const toY = (value: number) => bottom - toShare(value, range) * height;
  const parts = [text(left, top - 18, title, { size: 14, isBold: true })];
  for (const value of listPowers(range)) {
    parts.push(rule([left, toY(value)], [left + width, toY(value)], COLOUR.grid));
    parts.push(text(left - 8, toY(value) + 4, toLabel(value), { anchor: "end", colour: COLOUR.quiet }));
  }
  for (const value of listPowers(PEOPLE)) {
    const label = value.toLocaleString("en");
    parts.push(rule([toX(value), top], [toX(value), bottom], COLOUR.grid));
    parts.push(text(toX(value), bottom + 20, label, { anchor: "middle", colour: COLOUR.quiet }));
  }
  parts.push(text(left + width / 2, bottom + 42, "people with a connection", { anchor: "middle" }));
  if (bound) {
    parts.push(rule([left, toY(bound.at)], [left + width, toY(bound.at)], COLOUR.bound, 2));
    parts.push(text(left + 6, toY(bound.at) - 7, bound.text, { colour: COLOUR.bound, isBold: true }));
  }
  const ends = lines.map(({ points }) => {
    const [x, y] = points.at(-1) ?? [PEOPLE[0], range[0]];
    return { x: toX(x), y: toY(y) };
  });
  const labels = spread(ends);
  lines.forEach(({ name, points, isFull }, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? COLOUR.ink;
    const path = points.map(([x, y]) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(" ");
    const { x, y } = ends[index] ?? { x: 0, y: 0 };
    parts.push(`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    if (isFull) parts.push(`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="4" fill="${colour}"/>`);
    parts.push(text(x + 8, (labels[index] ?? y) + 4, name, { colour, isBold: true }));
  });
  return parts.join("\n");
}

/** Two panels side by side, both axes logarithmic. */
export function drawChart(panels: readonly [Panel, Panel], about: { title: string; note: string }): string {
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT + 20}" font-family="system-ui, sans-serif" role="img">`,
    `<title>${about.title}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT + 20}" rx="8" fill="${COLOUR.paper}"/>`,
    text(PLOT.lefts[0] ?? 0, 32, about.title, { size: 17, isBold: true }),
    ...panels.map((panel, index) => drawPanel(panel, PLOT.lefts[index] ?? 0)),
    text(PLOT.lefts[0] ?? 0, HEIGHT + 2, about.note, { colour: COLOUR.quiet }),
    "</svg>",
  ].join("\n")}\n`;
}
