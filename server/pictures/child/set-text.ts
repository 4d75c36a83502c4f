import { join } from "node:path";
import { GlobalFonts, type SKRSContext2D } from "@napi-rs/canvas";
import { layOutText, type SetText, type TextStyle } from "./lay-out-text.ts";

const FOLDER = join(import.meta.dirname, "..", "fonts");
const FAMILIES = { heading: "Foyer heading", body: "Foyer body" } as const;

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

function toFont({ font, weight }: TextStyle, fontSize: number): string {
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
