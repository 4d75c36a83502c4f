import { writeCentred } from "./centred-designs.ts";
import { snap } from "./ornaments.ts";
import { type Design, type Palette, type Pen, SHEET_HEIGHT, SHEET_WIDTH } from "./sheet.ts";

function strokeFrame(pen: Pen, inset: number, width: number, color: string): void {
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.strokeRect(inset, inset, SHEET_WIDTH - 2 * inset, SHEET_HEIGHT - 2 * inset);
}

/** A frame whose corners are cut by quarter circles. */
function strokeHollowFrame(pen: Pen, inset: number, hollow: number, color: string): void {
  const [right, bottom] = [SHEET_WIDTH - inset, SHEET_HEIGHT - inset];
  pen.strokeStyle = color;
  pen.lineWidth = 1.4;
  pen.beginPath();
  pen.arc(inset, inset, hollow, Math.PI / 2, 0, true);
  pen.arc(right, inset, hollow, Math.PI, Math.PI / 2, true);
  pen.arc(right, bottom, hollow, -Math.PI / 2, Math.PI, true);
  pen.arc(inset, bottom, hollow, 0, -Math.PI / 2, true);
  pen.closePath();
  pen.stroke();
}

/** One strand of a braid along a level or upright edge. */
function traceStrand(
  pen: Pen,
  from: readonly [number, number],
  to: readonly [number, number],
  phase: number,
): void {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const halves = Math.round(length / 18);
  const half = length / halves;
  // Half a sine wave is a cubic curve with its handles 4/3 of the height away, at 4/3 and π − 4/3 of its π.
  const handle = (half * 4) / 3 / Math.PI;
  const height = snap((6.5 * 4) / 3);
  pen.save();
  pen.translate(...from);
  pen.rotate(angle);
  pen.beginPath();
  pen.rect(0, -12, length, 24);
  pen.clip();
  pen.beginPath();
  pen.moveTo(-phase * half, 0);
  for (let wave = 0; wave <= halves + 1; wave++) {
    const [start, side] = [(wave - phase) * half, wave % 2 === 0 ? height : -height];
    pen.bezierCurveTo(snap(start + handle), side, snap(start + half - handle), side, snap(start + half), 0);
  }
  pen.stroke();
  pen.restore();
}

function drawBraid(pen: Pen, palette: Palette): void {
  const [near, right, bottom] = [39, SHEET_WIDTH - 39, SHEET_HEIGHT - 39];
  pen.lineWidth = 1;
  for (const [phase, color] of [
    [0, palette.metal],
    [2 / 3, palette.accent],
    [4 / 3, palette.metal],
  ] as const) {
    pen.strokeStyle = color;
    traceStrand(pen, [near + 10, near], [right - 10, near], phase);
    traceStrand(pen, [near + 10, bottom], [right - 10, bottom], phase);
    traceStrand(pen, [near, near + 10], [near, bottom - 10], phase);
    traceStrand(pen, [right, near + 10], [right, bottom - 10], phase);
  }
}

function drawCorner(pen: Pen, x: number, y: number, palette: Palette): void {
  pen.fillStyle = palette.accent;
  pen.fillRect(x - 15, y - 15, 30, 30);
  pen.fillStyle = palette.paper;
  for (let petal = 0; petal < 4; petal++) {
    pen.save();
    pen.translate(x, y);
    pen.rotate((petal * Math.PI) / 2 + Math.PI / 4);
    pen.beginPath();
    pen.ellipse(0, -7, 3.2, 6.5, 0, 0, Math.PI * 2);
    pen.fill();
    pen.restore();
  }
  pen.fillStyle = palette.metal;
  pen.beginPath();
  pen.arc(x, y, 2.6, 0, Math.PI * 2);
  pen.fill();
}

/** Paper with a braided frame, as a school would hang it on a wall. */
export const drawClassic: Design = (pen, sheet, palette) => {
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, SHEET_WIDTH, SHEET_HEIGHT);
  strokeFrame(pen, 24, 2.5, palette.accent);
  drawBraid(pen, palette);
  strokeFrame(pen, 54, 1, palette.accent);
  strokeHollowFrame(pen, 66, 26, palette.metal);
  for (const x of [39, SHEET_WIDTH - 39])
    for (const y of [39, SHEET_HEIGHT - 39]) drawCorner(pen, x, y, palette);
  writeCentred(pen, sheet, palette);
};
