import { drawSeal, drawSignature } from "./ornaments.ts";
import {
  type Design,
  type Palette,
  type Pen,
  SHEET_HEIGHT,
  SHEET_WIDTH,
  WORDS,
  writeLine,
  writeTitle,
} from "./sheet.ts";

const MIDDLE = SHEET_WIDTH / 2;

function drawGrid(pen: Pen, palette: Palette): void {
  pen.strokeStyle = palette.accent;
  for (let line = 0; line * 20 < SHEET_WIDTH; line++) {
    pen.lineWidth = line % 5 === 0 ? 1 : 0.4;
    pen.beginPath();
    pen.moveTo(line * 20 + 0.5, 0);
    pen.lineTo(line * 20 + 0.5, SHEET_HEIGHT);
    if (line * 20 < SHEET_HEIGHT) {
      pen.moveTo(0, line * 20 + 0.5);
      pen.lineTo(SHEET_WIDTH, line * 20 + 0.5);
    }
    pen.stroke();
  }
}

function strokePath(pen: Pen, points: readonly (readonly [number, number])[]): void {
  pen.beginPath();
  for (const point of points) pen.lineTo(...point);
  pen.stroke();
}

/** A suspension bridge of folded paper, seen from its side. */
function drawBridge(pen: Pen, palette: Palette): void {
  const deck = 560;
  const sag = (share: number) => deck - 118 + 104 * (1 - (2 * share - 1) ** 2);
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 2;
  pen.strokeRect(90, deck, SHEET_WIDTH - 180, 9);
  for (const x of [270, 730]) {
    strokePath(pen, [
      [x - 12, 612],
      [x - 7, 436],
      [x + 7, 436],
      [x + 12, 612],
    ]);
    pen.lineWidth = 1;
    for (let brace = 0; brace < 5; brace++)
      strokePath(pen, [
        [x - 8, 450 + brace * 20],
        [x + 8, 462 + brace * 20],
      ]);
    pen.lineWidth = 2;
  }
  const cable = Array.from({ length: 41 }, (_, step) => [270 + 460 * (step / 40), sag(step / 40)] as const);
  strokePath(pen, cable);
  strokePath(pen, [
    [90, deck],
    [270, 442],
  ]);
  strokePath(pen, [
    [730, 442],
    [910, deck],
  ]);
  pen.lineWidth = 0.8;
  for (const [x, y] of cable.filter((_, step) => step % 2 === 0))
    strokePath(pen, [
      [x, y],
      [x, deck],
    ]);
  for (let step = 1; step < 8; step++) {
    const height = 442 + ((deck - 442) * step) / 8;
    strokePath(pen, [
      [270 - 22.5 * step, height],
      [270 - 22.5 * step, deck],
    ]);
    strokePath(pen, [
      [730 + 22.5 * step, height],
      [730 + 22.5 * step, deck],
    ]);
  }
}

/** A load of one mug stands on the bridge. */
function drawMug(pen: Pen, palette: Palette): void {
  pen.strokeStyle = palette.metal;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.roundRect(484, 524, 30, 35, 4);
  pen.stroke();
  pen.beginPath();
  pen.arc(514, 541, 10, -Math.PI / 2, Math.PI / 2);
  pen.stroke();
  for (const x of [492, 499, 506]) {
    pen.beginPath();
    pen.moveTo(x, 516);
    pen.bezierCurveTo(x - 5, 510, x + 5, 506, x, 499);
    pen.stroke();
  }
}

/** White lines on blue paper, with the thing that was tested below the text. */
export const drawBlueprint: Design = (pen, sheet, palette) => {
  const words = WORDS[sheet.lang];
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, SHEET_WIDTH, SHEET_HEIGHT);
  drawGrid(pen, palette);
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 2;
  pen.strokeRect(30, 30, SHEET_WIDTH - 60, SHEET_HEIGHT - 60);
  const mono = (text: string, y: number, size: number, color: string, isBold = false) =>
    writeLine(pen, text, MIDDLE, y, {
      family: isBold ? "Sheet Mono Bold" : "Sheet Mono",
      size,
      color,
      maxWidth: 840,
    });
  mono(`${sheet.issuer} · ${words.heading}`.toLocaleUpperCase(sheet.lang), 92, 17, palette.metal, true);
  mono(words.before, 150, 17, palette.quiet);
  mono(sheet.holder, 212, 50, palette.ink, true);
  mono(words.after, 262, 17, palette.quiet);
  writeTitle(pen, sheet.title, MIDDLE, 318, {
    family: "Sheet Mono Bold",
    size: 33,
    color: palette.metal,
    maxWidth: 840,
  });
  mono(sheet.date, 368, 18, palette.ink);
  drawSeal(
    pen,
    { x: 896, y: 134, radius: 58 },
    { motto: sheet.motto, metal: palette.metal, paper: palette.paper, family: "Sheet Mono Bold" },
  );
  drawBridge(pen, palette);
  drawMug(pen, palette);
  drawSignature(pen, 800, 642, { color: palette.ink, seed: 4 });
  writeLine(pen, sheet.signer, 720, 648, {
    family: "Sheet Mono",
    size: 12,
    color: palette.quiet,
    align: "right",
  });
  writeLine(pen, words.notice, 56, 662, {
    family: "Sheet Mono",
    size: 10.5,
    color: palette.quiet,
    align: "left",
  });
};
