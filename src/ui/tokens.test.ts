import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";

const CSS = readFileSync("src/ui/tokens.css", "utf8");
const PAPERS = ["paper", "paper-raised", "paper-sunken"];

function readColor(name: string, scheme: "light" | "dark"): string {
  const found = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(CSS);
  const color = found?.[scheme === "light" ? 1 : 2];
  if (!color) throw new Error(`tokens.css has no colour --${name}`);
  return color;
}

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function getLuminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function getContrast(first: string, second: string): number {
  const [low = 0, high = 0] = [getLuminance(first), getLuminance(second)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

describe.each(["light", "dark"] as const)("in the %s theme", (scheme) => {
  const measure = (text: string, ground: string) =>
    getContrast(readColor(text, scheme), readColor(ground, scheme));

  test.each(["ink", "ink-quiet", "accent", "accent-hover", "success", "warning", "danger", "live"])(
    "--%s has 7:1 on every paper",
    (text) => {
      for (const paper of PAPERS) expect(measure(text, paper)).toBeGreaterThanOrEqual(7);
    },
  );

  test.each([
    ["on-accent", "accent"],
    ["on-accent", "accent-hover"],
    ["accent", "accent-soft"],
    ["success", "success-soft"],
    ["warning", "warning-soft"],
    ["danger", "danger-soft"],
  ])("--%s has 7:1 on --%s", (text, ground) => {
    expect(measure(text, ground)).toBeGreaterThanOrEqual(7);
  });

  test("outlines of controls have 3:1 on every paper", () => {
    for (const paper of PAPERS) expect(measure("line-strong", paper)).toBeGreaterThanOrEqual(3);
  });
});
