export type ColorScheme = "light" | "dark";

/** Custom properties of `src/ui/tokens.css` by their name without dashes, raw: `paper` → `light-dark(#fbfbf9, #15181b)`. */
export type Tokens = Readonly<Record<string, string>>;

/** Reads the declarations of the first `:root`; the blocks after it only repeat them for special cases. */
export function parseTokens(css: string): Tokens {
  const withoutComments = css.replace(/\/\*[\s\S]*?\*\//g, "");
  const block = /:root\s*\{([^}]*)\}/.exec(withoutComments)?.[1] ?? "";
  const pairs = [...block.matchAll(/--([\w-]+)\s*:\s*([^;]+);/g)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name, value?.trim()]));
}

function requireToken(tokens: Tokens, name: string): string {
  const value = tokens[name];
  if (value === undefined) throw new Error(`src/ui/tokens.css has no --${name}`);
  return value;
}

/** The colour of a scheme: one side of `light-dark(a, b)`, or the value itself. */
export function getColor(tokens: Tokens, name: string, scheme: ColorScheme): string {
  const value = requireToken(tokens, name);
  const sides = /^light-dark\(\s*(#\w+)\s*,\s*(#\w+)\s*\)$/.exec(value);
  return sides?.[scheme === "light" ? 1 : 2] ?? value;
}

/** A length in CSS pixels, from `px` or `rem` of 16 px. */
export function getPixels(tokens: Tokens, name: string): number {
  const value = requireToken(tokens, name);
  const number = Number.parseFloat(value);
  return value.endsWith("rem") ? Math.round(number * 16) : number;
}

export function getText(tokens: Tokens, name: string): string {
  return requireToken(tokens, name);
}
