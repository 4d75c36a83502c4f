import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { DEFAULT_ACCENT, getContrast, MIN_CONTRAST, PAPERS, toAccentTokens, toShades } from "./accent.ts";

const CSS = readFileSync(new URL("../../src/ui/tokens.css", import.meta.url), "utf8");
const readToken = (name: string) => new RegExp(`--${name}: (light-dark\\(.+\\));`).exec(CSS)?.[1];
const THEMES = ["light", "dark"] as const;
/** Text that stands on the soft ground too. */
const INKS = { light: ["#191c1f", "#494f55"], dark: ["#eceeec", "#b6bdc2"] };

const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, "0")}`);
/** Those at the ends of the scale too, which random ones hardly meet. */
const anyColour = fc.oneof(
  { weight: 9, arbitrary: colour },
  fc.constantFrom("#000000", "#ffffff", "#ffff00", "#0000ff", "#00ff00", "#ff0000", "#010000", "#fffffe"),
);

test("the default accent is what the design tokens say, to the letter", () => {
  const tokens = Object.entries(toAccentTokens(DEFAULT_ACCENT));
  expect(tokens).toHaveLength(4);
  for (const [name, value] of tokens) expect([name, value]).toEqual([name, readToken(name)]);
});

test("the papers are those of the design tokens", () => {
  const read = (theme: number) =>
    ["paper", "paper-raised", "paper-sunken"].map(
      (name) => /#\w+/g[Symbol.match](readToken(name) ?? "")?.[theme],
    );
  expect(PAPERS).toEqual({ light: read(0), dark: read(1) });
});

test("black on white has the largest contrast, a colour on itself the smallest", () => {
  expect(getContrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(getContrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(getContrast("#0b4a63", "#0b4a63")).toBe(1);
});

describe.each(THEMES)("in the %s theme", (theme) => {
  test("any accent can be read on every paper, on its soft ground, and under its own text", () => {
    fc.assert(
      fc.property(anyColour, (accent) => {
        const { accent: shade, hover, soft, on } = toShades(accent)[theme];
        for (const text of [shade, hover]) {
          for (const ground of [...PAPERS[theme], soft, on])
            expect(getContrast(text, ground)).toBeGreaterThanOrEqual(MIN_CONTRAST);
        }
        for (const ink of INKS[theme]) expect(getContrast(ink, soft)).toBeGreaterThanOrEqual(6);
      }),
      { numRuns: 500 },
    );
  });

  test("what can be read already is left alone", () => {
    fc.assert(
      fc.property(anyColour, (accent) => {
        const { accent: shade, soft } = toShades(accent)[theme];
        const isReadable = [...PAPERS[theme], soft].every(
          (ground) => getContrast(accent, ground) >= MIN_CONTRAST,
        );
        // The product's own dark shade is one that was chosen, not one that was derived.
        if (accent !== DEFAULT_ACCENT) expect(shade === accent).toBe(isReadable);
      }),
      { numRuns: 500 },
    );
  });

  test("a shade is moved no further than it must be", () => {
    fc.assert(
      fc.property(anyColour, (accent) => {
        const { accent: shade, soft } = toShades(accent)[theme];
        if (shade === accent || accent === DEFAULT_ACCENT) return;
        const least = Math.min(...[...PAPERS[theme], soft].map((ground) => getContrast(shade, ground)));
        expect(least).toBeLessThan(MIN_CONTRAST + 0.35);
      }),
      { numRuns: 500 },
    );
  });

  test("what a pointer is over looks different", () => {
    fc.assert(
      fc.property(anyColour, (accent) => {
        const { accent: shade, hover } = toShades(accent)[theme];
        expect(getContrast(shade, hover)).toBeGreaterThan(1.1);
      }),
      { numRuns: 500 },
    );
  });
});

test("red stays red: its hue is kept in both themes", () => {
  const { light, dark } = toShades("#e00000");
  for (const shade of [light.accent, dark.accent]) {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(shade.slice(at, at + 2), 16));
    expect(r).toBeGreaterThan(1.8 * Math.max(g, b));
  }
});
