import { join } from "node:path";
import { GlobalFonts, type SKRSContext2D } from "@napi-rs/canvas";
import type { FontPair } from "#contract/site/site.ts";

/** So many lines at a font size from `largest` down to `smallest`, in pixels. */
export interface Fit {
  maxLines: number;
  largest: number;
  smallest: number;
}

interface SetText {
  fontSize: number;
  lines: string[];
}

/** How wide a text is at a font size. */
export type Measure = (text: string, fontSize: number) => number;

const STEP = 2;
const ELLIPSIS = "…";
const graphemes = new Intl.Segmenter();

function splitGraphemes(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

/** Lines as full as they can be. A word that is wider than a line is a line of its own, too wide. */
function wrap(words: readonly string[], isNarrow: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && isNarrow(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The parts of a word that fit a line each. */
function breakWord(word: string, isNarrow: (line: string) => boolean): string[] {
  if (isNarrow(word)) return [word];
  const parts = [""];
  for (const grapheme of splitGraphemes(word)) {
    const longer = parts.at(-1) + grapheme;
    if (isNarrow(longer)) parts[parts.length - 1] = longer;
    else parts.push(grapheme);
  }
  return parts.filter((part) => part !== "");
}

/** The same number of lines, as even as they can be. */
function balance(
  words: readonly string[],
  lines: string[],
  width: number,
  measure: (text: string) => number,
) {
  if (lines.length < 2) return lines;
  for (let narrower = width / 2; narrower < width; narrower += STEP * 2) {
    const even = wrap(words, (line) => measure(line) <= narrower);
    if (even.length <= lines.length && even.every((line) => measure(line) <= narrower)) return even;
  }
  return lines;
}

/** No space and no stop stands before the ellipsis. */
function shorten(graphemes: readonly string[]): string {
  return graphemes.join("").replace(/[\s\p{P}]+$/u, "") + ELLIPSIS;
}

function cut(lines: string[], maxLines: number, isNarrow: (line: string) => boolean): string[] {
  if (lines.length <= maxLines) return lines;
  const last = splitGraphemes(lines[maxLines - 1] ?? "");
  while (last.length > 0 && !isNarrow(shorten(last))) last.pop();
  return [...lines.slice(0, maxLines - 1), shorten(last)];
}

/**
 * Sets a text in lines that are never wider than `width` pixels, in the first of `fits` that holds it, as large as it goes.
 * What no fit holds is cut at the end of the last one. No lines for an empty text.
 */
export function layOutText(
  text: string,
  width: number,
  fits: readonly [...Fit[], Fit],
  measure: Measure,
): SetText {
  const words = text.split(/\s+/).filter((word) => word !== "");
  for (const { maxLines, largest, smallest } of fits) {
    for (let fontSize = largest; fontSize >= smallest; fontSize -= STEP) {
      const measureHere = (line: string) => measure(line, fontSize);
      const lines = wrap(words, (line) => measureHere(line) <= width);
      if (lines.length <= maxLines && lines.every((line) => measureHere(line) <= width))
        return { fontSize, lines: balance(words, lines, width, measureHere) };
    }
  }
  const { maxLines, smallest: fontSize } = fits[fits.length - 1] as Fit; // the type says that there is one
  const isNarrow = (line: string) => measure(line, fontSize) <= width;
  const parts = words.flatMap((word) => breakWord(word, isNarrow));
  return { fontSize, lines: cut(wrap(parts, isNarrow), maxLines, isNarrow) };
}

/** Files of ../fonts. */
type FontName = "heading" | "grotesk" | "body";

export interface TextStyle {
  font: FontName;
  weight: number;
  colour: string;
  fits: readonly [...Fit[], Fit];
  /** Height of a line, in font sizes. */
  leading: number;
  /** Above it, when something stands there. */
  gap: number;
}

const FOLDER = join(import.meta.dirname, "..", "fonts");
const FAMILIES: Readonly<Record<FontName, string>> = {
  heading: "Foyer heading",
  grotesk: "Foyer grotesk",
  body: "Foyer body",
};

/** What a pair has its headings in. Nobody's system is here: its place takes the plain font. */
export const HEADING_FONTS: Readonly<Record<FontPair, FontName>> = {
  newsreader: "heading",
  grotesk: "grotesk",
  system: "body",
};

/** Where in a line its letters stand: part of the line's height that is above the baseline. */
const BASELINE = 0.78;

export interface PlacedText extends SetText {
  style: TextStyle;
  left: number;
  top: number;
}

/** Makes the product's own fonts known; letters that they lack come from the system. */
export function registerFonts(): void {
  for (const [name, family] of Object.entries(FAMILIES)) {
    if (GlobalFonts.has(family)) continue;
    const path = join(FOLDER, `${name}.ttf`);
    if (!GlobalFonts.registerFromPath(path, family)) throw new Error(`${path} is no font`);
  }
}

export function toFont({ font, weight }: Pick<TextStyle, "font" | "weight">, fontSize: number): string {
  return `${weight} ${fontSize}px "${FAMILIES[font]}"`;
}

export function setText(context: SKRSContext2D, text: string, style: TextStyle, width: number): SetText {
  return layOutText(text, width, style.fits, (line, fontSize) => {
    context.font = toFont(style, fontSize);
    return context.measureText(line).width;
  });
}

export function drawText(context: SKRSContext2D, { lines, fontSize, style, left, top }: PlacedText): void {
  const lineHeight = fontSize * style.leading;
  context.font = toFont(style, fontSize);
  context.fillStyle = style.colour;
  for (const [index, line] of lines.entries())
    context.fillText(line, left, top + (index + BASELINE) * lineHeight);
}
