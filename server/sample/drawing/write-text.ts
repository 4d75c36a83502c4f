import type { Family } from "../../../tools/sample-drawing/sheet.ts";
import type { Pen } from "./sheet.ts";

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
