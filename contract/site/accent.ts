/** `--accent` of the light theme in src/ui/tokens.css. Whoever leaves it has the very shades that stand there. */
export const DEFAULT_ACCENT = "#0b4a63";

/** Of text on its ground, as WCAG 2.2 AA asks. */
export const MIN_CONTRAST = 4.5;

type Theme = "light" | "dark";

/** Grounds that the accent stands on as text, from src/ui/tokens.css; a test compares them. */
export const PAPERS: Readonly<Record<Theme, readonly string[]>> = {
  light: ["#fbfbf9", "#ffffff", "#f1f2ef"],
  dark: ["#15181b", "#1c2024", "#0f1215"],
};

/** The colours of one theme that come from the accent. */
export interface Shades {
  accent: string;
  hover: string;
  soft: string;
  /** Text on the accent. */
  on: string;
}

const DEFAULT_SHADES: Readonly<Record<Theme, Shades>> = {
  light: { accent: DEFAULT_ACCENT, hover: "#07364a", soft: "#e3eff4", on: "#ffffff" },
  dark: { accent: "#93cfe8", hover: "#bbe3f4", soft: "#1d323c", on: "#0d2129" },
};

/** Lightness from 0 to 1, chroma, and hue as an angle (https://www.w3.org/TR/css-color-4/#ok-lab). */
interface Oklch {
  l: number;
  c: number;
  h: number;
}

const toLinear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const fromLinear = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

/** Red, green and blue of `#rrggbb` as light, from 0 to 1. */
function readLight(colour: string): [number, number, number] {
  const read = (start: number) => toLinear(Number.parseInt(colour.slice(start, start + 2), 16) / 255);
  return [read(1), read(3), read(5)];
}

/** Of two colours `#rrggbb`, as WCAG 2.2 defines it: from 1 to 21. */
export function getContrast(first: string, second: string): number {
  const [high = 0, low = 0] = [first, second]
    .map((colour) => {
      const [r, g, b] = readLight(colour);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    })
    .sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function toOklch(colour: string): Oklch {
  const [r, g, b] = readLight(colour);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const blue = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, blue),
    h: Math.atan2(blue, a),
  };
}

function toLight({ l: lightness, c, h }: Oklch): number[] {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

const CHROMA_STEP = 0.97;
const isShown = (light: readonly number[]) => light.every((part) => part > -0.0005 && part < 1.0005);

/** A screen shows no such colour of every lightness: then as much of it as there is. */
function toColour({ l, c, h }: Oklch): string {
  const lightness = Math.min(1, Math.max(0, l));
  let light = toLight({ l: lightness, c, h });
  for (let chroma = c; !isShown(light) && chroma > 0.001; ) {
    chroma *= CHROMA_STEP;
    light = toLight({ l: lightness, c: chroma, h });
  }
  const parts = light.map((part) => Math.round(255 * fromLinear(Math.min(1, Math.max(0, part)))));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

const LIGHTNESS_STEP = 0.005;

/** The colour, as much darker or lighter as text on these grounds asks; one that can be read there stays as it is. */
function makeReadable(colour: string, grounds: readonly string[], theme: Theme): string {
  const step = theme === "light" ? -LIGHTNESS_STEP : LIGHTNESS_STEP;
  const start = toOklch(colour);
  let shade = colour;
  for (let steps = 1; grounds.some((ground) => getContrast(shade, ground) < MIN_CONTRAST); steps++)
    shade = toColour({ ...start, l: start.l + steps * step });
  return shade;
}

/** In OKLCH, those of the default accent: its soft ground, the text on it, and how much lighter or darker it is under a pointer. */
const TUNING = {
  light: { soft: { l: 0.945, c: 0.016 }, hover: -0.075, turn: 0.33 },
  dark: { soft: { l: 0.305, c: 0.032 }, hover: 0.065, turn: 0.92 },
} as const;
/** Text on the accent of the dark theme: ink of its hue. */
const DARK_INK = { l: 0.235, c: 0.03 };

function deriveShades(chosen: string, theme: Theme): Shades {
  const { soft: ground, hover, turn } = TUNING[theme];
  const { c, h } = toOklch(chosen);
  const tint = (l: number, most: number) => toColour({ l, c: Math.min(c, most), h });
  const soft = tint(ground.l, ground.c);
  const grounds = [...PAPERS[theme], soft];
  const accent = makeReadable(chosen, grounds, theme);
  const own = toOklch(accent);
  // One that is nearly black, or nearly white, can only go the other way.
  const isAtEnd = theme === "light" ? own.l < turn : own.l > turn;
  const moved = toColour({ ...own, l: own.l + (isAtEnd ? -2.5 * hover : hover) });
  return {
    accent,
    hover: makeReadable(moved, grounds, theme),
    soft,
    on: theme === "light" ? "#ffffff" : tint(DARK_INK.l, DARK_INK.c),
  };
}

/**
 * What both themes show of an accent `#rrggbb`: text of at least 4.5:1 on every ground where it stands, and under its own text.
 * The colour itself where it can be read; else moved in lightness alone, as little as that takes.
 */
export function toShades(accent: string): Readonly<Record<Theme, Shades>> {
  if (accent === DEFAULT_ACCENT) return DEFAULT_SHADES;
  return { light: deriveShades(accent, "light"), dark: deriveShades(accent, "dark") };
}

/** The shades by their names in src/ui/tokens.css, without dashes, as values of that file's form. */
export function toAccentTokens(accent: string): Record<string, string> {
  const { light, dark } = toShades(accent);
  const both = (name: keyof Shades) => `light-dark(${light[name]}, ${dark[name]})`;
  return {
    accent: both("accent"),
    "accent-hover": both("hover"),
    "accent-soft": both("soft"),
    "on-accent": both("on"),
  };
}
