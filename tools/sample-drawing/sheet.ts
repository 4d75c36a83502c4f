import { existsSync } from "node:fs";
import { GlobalFonts, type PDFDocument } from "@napi-rs/canvas";
import type { Language } from "#contract/languages.ts";

const FOLDER = "/usr/share/fonts/truetype";

/** Families of the drawings and their files: open fonts with all Turkish letters. */
const FILES = {
  "Sheet Serif": "liberation/LiberationSerif-Regular.ttf",
  "Sheet Serif Bold": "liberation/LiberationSerif-Bold.ttf",
  "Sheet Serif Italic": "liberation/LiberationSerif-Italic.ttf",
  "Sheet Sans": "liberation/LiberationSans-Regular.ttf",
  "Sheet Sans Bold": "liberation/LiberationSans-Bold.ttf",
  "Sheet Mono": "liberation/LiberationMono-Regular.ttf",
  "Sheet Mono Bold": "liberation/LiberationMono-Bold.ttf",
} as const;

export type Family = keyof typeof FILES;

/** Loads the fonts by path, so that a drawing is the same on every machine that has them. */
export function loadFonts(): void {
  for (const [family, file] of Object.entries(FILES)) {
    const path = `${FOLDER}/${file}`;
    if (!existsSync(path) || !GlobalFonts.registerFromPath(path, family))
      throw new Error(`${path} is missing. In Debian: apt install fonts-liberation`);
  }
}

/** A sheet is drawn in these units, whatever file it becomes: A4 on its side. */
export const SHEET_WIDTH = 1000;
export const SHEET_HEIGHT = 707;

/** What pictures and pages of a PDF are both drawn with. */
export type Pen = ReturnType<PDFDocument["beginPage"]>;

/** What stands on a certificate. */
export interface Sheet {
  lang: Language;
  holder: string;
  title: string;
  issuer: string;
  /** A month or a year in words. */
  date: string;
  /** Runs around the seal. */
  motto: string;
  /** Who signed, by office. */
  signer: string;
}

/** Colours of a sheet, as CSS writes them. */
export interface Palette {
  paper: string;
  ink: string;
  quiet: string;
  accent: string;
  /** Frames, seals and ornaments. */
  metal: string;
}

export type Design = (pen: Pen, sheet: Sheet, palette: Palette) => void;

/** Words that every certificate has. */
export const WORDS: Record<Language, Record<"heading" | "before" | "after" | "notice", string>> = {
  en: {
    heading: "Certificate",
    before: "This is to certify that",
    after: "has completed with distinction",
    notice: "Sample content: this certificate and its issuer are invented",
  },
  tr: {
    heading: "Sertifika",
    before: "Bu belge, adı aşağıda yazılı kişinin",
    after: "eğitimini üstün başarıyla tamamladığını gösterir",
    notice: "Örnek içerik: bu belge de belgeyi veren kurum da uydurmadır",
  },
};

export interface TextStyle {
  family: Family;
  size: number;
  color: string;
  /** Space between letters. */
  spacing?: number;
  align?: "left" | "center" | "right";
  /** A longer text is written smaller. */
  maxWidth?: number;
}

function setStyle(pen: Pen, style: TextStyle, size: number): void {
  pen.font = `${size}px "${style.family}"`;
  pen.letterSpacing = `${style.spacing ?? 0}px`;
  pen.fillStyle = style.color;
  pen.textAlign = style.align ?? "center";
  pen.textBaseline = "alphabetic";
}

/** Writes one line on the baseline `y`, as small as it must be to fit. */
export function writeLine(pen: Pen, text: string, x: number, y: number, style: TextStyle): void {
  setStyle(pen, style, style.size);
  const width = pen.measureText(text).width;
  if (style.maxWidth && width > style.maxWidth)
    setStyle(pen, style, Math.floor((style.size * style.maxWidth) / width));
  pen.fillText(text, x, y);
}

/** Breaks a text into two lines of about the same width where one line is too long. */
export function breakLine(pen: Pen, text: string, style: TextStyle): string[] {
  setStyle(pen, style, style.size);
  if (!style.maxWidth || pen.measureText(text).width <= style.maxWidth) return [text];
  const words = text.split(" ");
  const splits = words.slice(1).map((_, index) => {
    const lines = [words.slice(0, index + 1).join(" "), words.slice(index + 1).join(" ")];
    return { lines, width: Math.max(...lines.map((line) => pen.measureText(line).width)) };
  });
  return splits.sort((a, b) => a.width - b.width)[0]?.lines ?? [text];
}

/** Writes a title in one or two lines, the block's last baseline at `y`. */
export function writeTitle(pen: Pen, text: string, x: number, y: number, style: TextStyle): void {
  const lines = breakLine(pen, text, style);
  for (const [index, line] of lines.entries())
    writeLine(pen, line, x, y - (lines.length - 1 - index) * style.size * 1.15, style);
}

/** Writes a text all the way around a circle, as often as it fits, beginning at the lower left. */
export function writeAround(
  pen: Pen,
  text: string,
  circle: { x: number; y: number; radius: number },
  style: TextStyle,
): void {
  setStyle(pen, { ...style, align: "center" }, style.size);
  const around = Math.PI * 2 * circle.radius;
  const letters = [...text.repeat(Math.max(1, Math.floor(around / pen.measureText(text).width)))];
  const widths = letters.map((letter) => pen.measureText(letter).width);
  const gap = (around - widths.reduce((sum, width) => sum + width, 0)) / letters.length;
  let along = -around * 0.38;
  for (const [index, letter] of letters.entries()) {
    const width = widths[index] ?? 0;
    pen.save();
    pen.translate(circle.x, circle.y);
    pen.rotate((along + width / 2) / circle.radius);
    pen.fillText(letter, 0, -circle.radius);
    pen.restore();
    along += width + gap;
  }
}
