import { drawRibbon, drawRosette, drawSeal, drawSignature } from "./ornaments.ts";
import {
  type Design,
  type Palette,
  type Pen,
  SHEET_HEIGHT,
  SHEET_WIDTH,
  type Sheet,
  WORDS,
  writeLine,
  writeTitle,
} from "./sheet.ts";

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

/** Fine waves like those of a banknote behind the text, and a rounded frame. */
export const drawBanknote: Design = (pen, sheet, palette) => {
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, SHEET_WIDTH, SHEET_HEIGHT);
  pen.save();
  pen.globalAlpha = 0.34;
  drawRosette(
    pen,
    { x: SHEET_WIDTH / 2, y: SHEET_HEIGHT / 2, radius: 300 },
    { lobes: 28, rings: 4, inner: 110, wide: 1.42, color: palette.metal, width: 0.7 },
  );
  pen.restore();
  for (const x of [92, SHEET_WIDTH - 92])
    for (const y of [92, SHEET_HEIGHT - 92])
      drawRosette(
        pen,
        { x, y, radius: 52 },
        { lobes: 9, rings: 2, inner: 4, color: palette.accent, width: 0.7 },
      );
  pen.strokeStyle = palette.accent;
  for (const [inset, width] of [
    [22, 3],
    [30, 0.8],
  ] as const) {
    pen.lineWidth = width;
    pen.beginPath();
    pen.roundRect(inset, inset, SHEET_WIDTH - 2 * inset, SHEET_HEIGHT - 2 * inset, 18);
    pen.stroke();
  }
  writeCentred(pen, sheet, palette);
};

/** A frame whose corners step inwards. */
function strokeStepped(pen: Pen, inset: number, step: number): void {
  const [left, top, right, bottom] = [inset, inset, SHEET_WIDTH - inset, SHEET_HEIGHT - inset];
  const corner = (x: number, y: number, across: number, down: number, isReversed: boolean) => {
    const points = [
      [x, y + down * 2],
      [x + across, y + down * 2],
      [x + across, y + down],
      [x + across * 2, y + down],
      [x + across * 2, y],
    ] as const;
    for (const [px, py] of isReversed ? points.toReversed() : points) pen.lineTo(px, py);
  };
  pen.beginPath();
  corner(left, top, step, step, false);
  corner(right, top, -step, step, true);
  corner(right, bottom, -step, -step, false);
  corner(left, bottom, step, -step, true);
  pen.closePath();
  pen.stroke();
}

/** Rays that rise from the middle of an edge. */
function drawFan(pen: Pen, y: number, side: 1 | -1): void {
  for (let ray = 1; ray < 16; ray++) {
    const angle = (ray / 16) * Math.PI;
    const length = ray % 2 === 0 ? 62 : 46;
    pen.beginPath();
    pen.moveTo(SHEET_WIDTH / 2 + 14 * Math.cos(angle), y + side * 14 * Math.sin(angle));
    pen.lineTo(SHEET_WIDTH / 2 + length * 1.9 * Math.cos(angle), y + side * length * Math.sin(angle));
    pen.stroke();
  }
}

function drawFrame(pen: Pen, palette: Palette): void {
  pen.strokeStyle = palette.metal;
  for (const [inset, step, width] of [
    [26, 22, 2.4],
    [36, 22, 0.9],
    [44, 22, 0.9],
  ] as const) {
    pen.lineWidth = width;
    strokeStepped(pen, inset, step);
  }
  pen.lineWidth = 1.2;
  drawFan(pen, 44, 1);
  for (const x of [70, SHEET_WIDTH - 70])
    for (const y of [SHEET_HEIGHT / 2 - 18, SHEET_HEIGHT / 2, SHEET_HEIGHT / 2 + 18]) {
      pen.fillStyle = palette.metal;
      pen.save();
      pen.translate(x, y);
      pen.rotate(Math.PI / 4);
      pen.fillRect(-4, -4, 8, 8);
      pen.restore();
    }
}

/** Metal lines on a dark ground, after the twenties. */
export const drawDeco: Design = (pen, sheet, palette) => {
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, SHEET_WIDTH, SHEET_HEIGHT);
  drawFrame(pen, palette);
  writeCentred(pen, sheet, palette);
};
