import { drawSeal, drawSignature } from "./ornaments.ts";
import {
  breakLine,
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

const PITCH = SHEET_HEIGHT / 6;
const GAP = 5;
const TILE = PITCH - GAP;
const LEFT = PITCH * 2 + 62;

/** One of four tiles of quarter and half circles. */
function drawTile(pen: Pen, kind: number, colors: readonly [string, string]): void {
  pen.fillStyle = colors[0];
  pen.fillRect(0, 0, TILE, TILE);
  pen.fillStyle = colors[1];
  pen.beginPath();
  if (kind === 0) {
    pen.moveTo(0, 0);
    pen.arc(0, 0, TILE, 0, Math.PI / 2);
  } else if (kind === 1) {
    pen.moveTo(TILE, TILE);
    pen.arc(TILE, TILE, TILE, Math.PI, Math.PI * 1.5);
  } else if (kind === 2) {
    pen.arc(TILE / 2, TILE / 2, TILE * 0.3, 0, Math.PI * 2);
  } else {
    pen.arc(0, TILE / 2, TILE / 2, -Math.PI / 2, Math.PI / 2);
    pen.moveTo(TILE, 0);
    pen.arc(TILE, TILE / 2, TILE / 2, -Math.PI / 2, Math.PI / 2, true);
  }
  pen.fill();
}

function drawBand(pen: Pen, palette: Palette, seed: number): void {
  const pairs = [
    [palette.accent, palette.metal],
    [palette.metal, palette.ink],
    [palette.ink, palette.accent],
    [palette.accent, palette.paper],
  ] as const;
  for (let row = 0; row < 6; row++)
    for (let column = 0; column < 2; column++) {
      const place = row * 2 + column + seed;
      pen.save();
      pen.translate(column * PITCH + GAP / 2, row * PITCH + GAP / 2);
      drawTile(pen, (place * 7) % 4, pairs[(place * 3 + row) % 4] ?? pairs[0]);
      pen.restore();
    }
}

function writeBody(pen: Pen, sheet: Sheet, palette: Palette): void {
  const words = WORDS[sheet.lang];
  const line = (text: string, y: number, size: number, color: string, isBold = false) =>
    writeLine(pen, text, LEFT, y, {
      family: isBold ? "Sheet Sans Bold" : "Sheet Sans",
      size,
      color,
      align: "left",
      maxWidth: SHEET_WIDTH - LEFT - 60,
    });
  line(sheet.issuer, 92, 20, palette.ink, true);
  line(words.heading.toLocaleUpperCase(sheet.lang), 122, 14, palette.quiet);
  line(words.before, 232, 17, palette.quiet);
  line(sheet.holder, 290, 52, palette.ink, true);
  const title = {
    family: "Sheet Sans Bold",
    size: 34,
    color: palette.accent,
    align: "left",
    maxWidth: SHEET_WIDTH - LEFT - 70,
  } as const;
  const isTwoLines = breakLine(pen, sheet.title, title).length === 2;
  line(words.after, 342, 17, palette.quiet);
  writeTitle(pen, sheet.title, LEFT, isTwoLines ? 432 : 396, title);
}

/** White, with a band of tiles at the left and everything else on one line of sight. English only: Turkish puts the course first. */
export const drawModern: Design = (pen, sheet, palette) => {
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, SHEET_WIDTH, SHEET_HEIGHT);
  drawBand(pen, palette, sheet.title.length % 5);
  writeBody(pen, sheet, palette);
  const small = { family: "Sheet Sans", size: 13, color: palette.quiet, align: "left" } as const;
  drawSignature(pen, LEFT + 76, 560, { color: palette.ink, seed: sheet.title.length });
  pen.fillStyle = palette.metal;
  pen.fillRect(LEFT, 578, 210, 2);
  pen.fillRect(LEFT + 250, 578, 170, 2);
  writeLine(pen, sheet.signer, LEFT, 602, { ...small, maxWidth: 230 });
  writeLine(pen, sheet.date, LEFT + 250, 562, {
    family: "Sheet Sans Bold",
    size: 20,
    color: palette.ink,
    align: "left",
  });
  drawSeal(
    pen,
    { x: SHEET_WIDTH - 122, y: 556, radius: 62 },
    { motto: sheet.motto, metal: palette.accent, paper: palette.paper, family: "Sheet Sans Bold" },
  );
  writeLine(pen, WORDS[sheet.lang].notice, LEFT, 662, { ...small, size: 10.5 });
};
