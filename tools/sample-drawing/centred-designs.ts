import { type Palette, type Pen, SHEET_WIDTH, type Sheet, WORDS } from "#server/sample/drawing/sheet.ts";
import { writeLine, writeTitle } from "#server/sample/drawing/write-text.ts";
import { drawRibbon, drawSeal, drawSignature } from "./ornaments.ts";

const MIDDLE = SHEET_WIDTH / 2;

/** English says what was done before it names the course, Turkish after it. */
function writeCourse(pen: Pen, sheet: Sheet, palette: Palette): void {
  const after = WORDS[sheet.lang].after;
  const quiet = { family: "Sheet Serif Italic", size: 19, color: palette.quiet } as const;
  const title = { family: "Sheet Serif", size: 38, color: palette.accent, maxWidth: 720 } as const;
  writeLine(pen, sheet.lang === "en" ? after : sheet.title, MIDDLE, sheet.lang === "en" ? 366 : 382, {
    ...(sheet.lang === "en" ? quiet : title),
  });
  writeLine(pen, sheet.lang === "en" ? sheet.title : after, MIDDLE, sheet.lang === "en" ? 416 : 420, {
    ...(sheet.lang === "en" ? title : quiet),
  });
}

/** Date at the left, signature at the right, each over a line with its name. */
function drawFoot(pen: Pen, sheet: Sheet, palette: Palette): void {
  const label = {
    family: "Sheet Serif",
    size: 14,
    color: palette.quiet,
    spacing: 0.5,
    maxWidth: 230,
  } as const;
  for (const x of [235, SHEET_WIDTH - 235]) {
    pen.strokeStyle = palette.quiet;
    pen.lineWidth = 0.8;
    pen.beginPath();
    pen.moveTo(x - 105, 552);
    pen.lineTo(x + 105, 552);
    pen.stroke();
  }
  writeLine(pen, sheet.date, 235, 540, { family: "Sheet Serif", size: 22, color: palette.ink });
  writeLine(pen, sheet.lang === "en" ? "Date" : "Tarih", 235, 573, label);
  drawSignature(pen, SHEET_WIDTH - 235, 545, { color: palette.ink, seed: sheet.title.length });
  writeLine(pen, sheet.signer, SHEET_WIDTH - 235, 573, label);
}

/** Writes the whole text of a certificate in the middle of the sheet, with a seal below it. */
export function writeCentred(pen: Pen, sheet: Sheet, palette: Palette): void {
  const words = WORDS[sheet.lang];
  writeTitle(pen, sheet.issuer.toLocaleUpperCase(sheet.lang), MIDDLE, 120, {
    family: "Sheet Serif",
    size: 18,
    color: palette.accent,
    spacing: 3,
    maxWidth: 640,
  });
  writeLine(pen, words.heading, MIDDLE, 194, {
    family: "Sheet Serif",
    size: 66,
    color: palette.ink,
    spacing: 2,
  });
  writeLine(pen, words.before, MIDDLE, 239, { family: "Sheet Serif Italic", size: 19, color: palette.quiet });
  writeLine(pen, sheet.holder, MIDDLE, 306, {
    family: "Sheet Serif Italic",
    size: 62,
    color: palette.ink,
  });
  pen.strokeStyle = palette.metal;
  pen.lineWidth = 1.2;
  pen.beginPath();
  pen.moveTo(MIDDLE - 240, 326);
  pen.lineTo(MIDDLE + 240, 326);
  pen.stroke();
  writeCourse(pen, sheet, palette);
  drawFoot(pen, sheet, palette);
  const seal = { x: MIDDLE, y: 516, radius: 60 };
  drawRibbon(pen, { ...seal, radius: 48 }, palette.accent);
  drawSeal(pen, seal, { motto: sheet.motto, metal: palette.metal, paper: palette.paper });
  writeLine(pen, words.notice, MIDDLE, 626, { family: "Sheet Serif", size: 12, color: palette.quiet });
}
