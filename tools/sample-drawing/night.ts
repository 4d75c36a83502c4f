import { drawSeal, drawSignature } from "./ornaments.ts";
import {
  type Design,
  type Family,
  type Palette,
  type Pen,
  SHEET_HEIGHT,
  SHEET_WIDTH,
  WORDS,
  writeLine,
} from "./sheet.ts";

const LEFT = 84;

/** Numbers from 0 to 1 that look thrown and are the same each time. */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function drawSky(pen: Pen, palette: Palette): void {
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, SHEET_WIDTH, SHEET_HEIGHT);
  const roll = createDice(418);
  pen.fillStyle = palette.quiet;
  for (let star = 0; star < 110; star++) {
    const [x, y, radius] = [roll() * SHEET_WIDTH, roll() * 470, 0.6 + roll() * 1.4];
    const isBehindText = x > LEFT - 12 && x < 560 && y > 76;
    if (isBehindText) continue;
    pen.beginPath();
    pen.arc(x, y, radius, 0, Math.PI * 2);
    pen.fill();
  }
  pen.fillStyle = palette.metal;
  pen.beginPath();
  pen.arc(842, 150, 64, 0, Math.PI * 2);
  pen.fill();
  pen.fillStyle = palette.paper;
  pen.beginPath();
  pen.arc(816, 132, 58, 0, Math.PI * 2);
  pen.fill();
}

/** Houses along the lower edge. Somebody is still awake behind one window. */
function drawTown(pen: Pen, palette: Palette): void {
  const roll = createDice(2021);
  let x = -10;
  while (x < SHEET_WIDTH) {
    const [width, height] = [52 + roll() * 50, 44 + roll() * 92];
    const top = SHEET_HEIGHT - 34 - height;
    pen.fillStyle = palette.accent;
    pen.fillRect(x, top, width + 1, height + 40);
    if (roll() > 0.45) {
      pen.beginPath();
      pen.moveTo(x - 5, top + 1);
      pen.lineTo(x + width / 2, top - 24);
      pen.lineTo(x + width + 5, top + 1);
      pen.fill();
    }
    pen.fillStyle = palette.paper;
    for (let row = top + 14; row < SHEET_HEIGHT - 54; row += 22)
      for (let column = x + 10; column < x + width - 12; column += 19) pen.fillRect(column, row, 8, 11);
    x += width;
  }
  pen.fillStyle = palette.metal;
  pen.fillRect(0, SHEET_HEIGHT - 34, SHEET_WIDTH, 3);
  pen.fillStyle = palette.paper;
  pen.fillRect(0, SHEET_HEIGHT - 31, SHEET_WIDTH, 31);
}

function drawWindow(pen: Pen, palette: Palette): void {
  pen.fillStyle = palette.accent;
  pen.fillRect(724, 520, 76, 153);
  pen.beginPath();
  pen.moveTo(716, 522);
  pen.lineTo(762, 488);
  pen.lineTo(808, 522);
  pen.fill();
  pen.fillStyle = palette.metal;
  pen.fillRect(746, 548, 32, 40);
  pen.fillStyle = palette.accent;
  pen.fillRect(760.5, 548, 3, 40);
  pen.fillRect(746, 566, 32, 3);
}

/** A sleeping town; the text stands in its sky. Turkish: the course comes before what was done with it. */
export const drawNight: Design = (pen, sheet, palette) => {
  const words = WORDS[sheet.lang];
  drawSky(pen, palette);
  drawTown(pen, palette);
  drawWindow(pen, palette);
  drawSeal(
    pen,
    { x: 842, y: 352, radius: 62 },
    { motto: sheet.motto, metal: palette.metal, paper: palette.paper },
  );
  const line = (text: string, y: number, size: number, color: string, family: Family) =>
    writeLine(pen, text, LEFT, y, { family, size, color, align: "left", maxWidth: 700 });
  line(sheet.issuer.toLocaleUpperCase(sheet.lang), 104, 16, palette.metal, "Sheet Sans Bold");
  line(words.heading, 170, 60, palette.ink, "Sheet Serif");
  line(words.before, 222, 19, palette.quiet, "Sheet Serif Italic");
  line(sheet.holder, 290, 56, palette.ink, "Sheet Serif Italic");
  line(sheet.title, 352, 36, palette.metal, "Sheet Sans Bold");
  line(words.after, 394, 19, palette.quiet, "Sheet Serif Italic");
  line(sheet.date, 474, 24, palette.ink, "Sheet Serif");
  drawSignature(pen, 420, 470, { color: palette.ink, seed: sheet.title.length });
  writeLine(pen, sheet.signer, 350, 498, {
    family: "Sheet Sans",
    size: 13,
    color: palette.quiet,
    align: "left",
  });
  writeLine(pen, words.notice, LEFT, 694, {
    family: "Sheet Sans",
    size: 10.5,
    color: palette.quiet,
    align: "left",
  });
};
