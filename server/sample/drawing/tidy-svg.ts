/** Steps of a path's points per unit: finer than a screen shows, and whole numbers are short. */
const STEPS = 3;
const HEAD = /^[\s\S]*?<svg[^>]*?width="(\d+)" height="(\d+)">/;

/** Level and upright lines have letters of their own. */
function shorten(
  letter: string,
  [across = 0, down = 0, ...more]: readonly number[],
): [string, readonly number[]] {
  if (letter === "l" && down === 0) return ["h", [across]];
  return letter === "l" && across === 0 ? ["v", [down]] : [letter, [across, down, ...more]];
}

/** A path of absolute commands → the same in whole steps, each point told from the one before. */
function toRelative(path: string): string {
  let [x, y] = [0, 0];
  let start = [0, 0];
  let last = "";
  return path.replaceAll(/([MLQC])([^MLQCZ]*)|Z/g, (_command, absolute?: string, numbers = "") => {
    if (!absolute) {
      [x = 0, y = 0] = start;
      last = "z";
      return "z";
    }
    const steps = [...numbers.matchAll(/-?[\d.]+(?:e-?\d+)?/g)].map(([text]) =>
      Math.round(Number(text) * STEPS),
    );
    const relative = steps.map((step, index) => step - (index % 2 === 0 ? x : y));
    const [letter, told] = shorten(absolute.toLowerCase(), relative);
    [x = 0, y = 0] = steps.slice(-2);
    if (letter === "m") start = [x, y];
    const separator = letter === last ? " " : letter;
    last = letter;
    return `${separator}${told.join(" ")}`.replaceAll(" -", "-");
  });
}

function tidyPath(element: string): string {
  const scaled = element
    .replace(/ d="([^"]*)"/, (_, path: string) => ` d="${toRelative(path)}"`)
    .replace(/ stroke-width="([^"]*)"/, (_, width: string) => ` stroke-width="${Number(width) * STEPS}"`);
  const scale = `scale(${(1 / STEPS).toFixed(5)})`;
  return scaled.includes(' transform="')
    ? scaled.replace(/ transform="([^"]*)"/, (_, transform: string) => ` transform="${transform} ${scale}"`)
    : scaled.replace("<path", `<path transform="${scale}"`);
}

/** Makes an exported SVG small, scalable, and named for who can't see it. */
export function tidySvg(svg: string, title: string): string {
  const plain = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return svg
    .replace(
      HEAD,
      (_, width, height) =>
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${plain}</title>`,
    )
    .replaceAll(/<path[^>]*>/g, tidyPath)
    .replaceAll(/ stroke-miterlimit="10"/g, "")
    .replaceAll(/\n\s*/g, "")
    .trim();
}
