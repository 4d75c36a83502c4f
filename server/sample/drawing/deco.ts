import { writeCentred } from "../../../tools/sample-drawing/centred-designs.ts";
import { type Design, type Palette, type Pen, SHEET_HEIGHT, SHEET_WIDTH } from "./sheet.ts";

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
