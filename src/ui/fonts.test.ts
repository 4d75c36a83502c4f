import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";

const REPOSITORY = join(import.meta.dirname, "../..");
const CSS = readFileSync(join(import.meta.dirname, "fonts.css"), "utf8");

/** Headings as pages have them. */
const SAMPLE = [
  "Curriculum vitae Tools Experience Education Certificates Get in touch Developer hub Log in Register Terms of use Privacy",
  "Özgeçmiş Araçlar Deneyim Eğitim Sertifikalar İletişime geçin Geliştirici merkezi Giriş yap Kayıt ol Kullanım koşulları Gizlilik",
].join("");

/** How wide the sample is in each stand-in, in em: Times New Roman Bold (and Tinos, made to its widths), Noto Serif Bold, DejaVu Serif Bold. */
const SAMPLE_EM = {
  "Newsreader as Times": 107.023,
  "Newsreader as Noto": 125.29,
  "Newsreader as DejaVu": 139.289,
};

function measureWebFont() {
  const family = "Newsreader under test";
  if (!GlobalFonts.registerFromPath(join(REPOSITORY, "public/fonts/heading.woff2"), family))
    throw new Error("the web font can't be read");
  const context = createCanvas(1, 1).getContext("2d");
  context.font = `600 1000px "${family}"`;
  const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText(SAMPLE);
  return {
    width: width / 1000,
    ascent: fontBoundingBoxAscent / 1000,
    descent: fontBoundingBoxDescent / 1000,
  };
}

function readStandIn(family: string): Record<string, string> {
  const rule = CSS.split("@font-face").find((part) => part.includes(`font-family: "${family}"`)) ?? "";
  return Object.fromEntries(
    [...rule.matchAll(/([a-z-]+-(?:adjust|override)): (.+);/g)].map(([, name, value]) => [name, value]),
  );
}

const toPercent = (part: number) => `${Math.round(part * 1000) / 10}%`;

test.each(Object.entries(SAMPLE_EM))("%s is as high and on average as wide as the web font", (family, em) => {
  const { width, ascent, descent } = measureWebFont();
  const scale = width / em;
  expect(readStandIn(family)).toEqual({
    "size-adjust": toPercent(scale),
    "ascent-override": toPercent(ascent / scale),
    "descent-override": toPercent(descent / scale),
    "line-gap-override": "0%",
  });
});

test("headings ask for every stand-in, behind the web font", () => {
  const tokens = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");
  const families = /--font-heading: (.+);/.exec(tokens)?.[1]?.split(", ");
  expect(families).toEqual([
    '"Newsreader"',
    ...Object.keys(SAMPLE_EM).map((family) => `"${family}"`),
    "serif",
  ]);
});

test("a page never changes to the web font once it is drawn", () => {
  expect(CSS).toContain("font-display: optional;");
});
