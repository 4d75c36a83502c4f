import { type Family, type Pen, writeAround } from "./sheet.ts";

export interface Circle {
  x: number;
  y: number;
  radius: number;
}

/** Quarters are fine enough, and short in a file. */
export const snap = (value: number) => Math.round(value * 4) / 4;

/** A smooth closed line through points that `toPoint` gives for angles from 0 to 2π. */
function traceCurve(pen: Pen, steps: number, toPoint: (angle: number) => readonly [number, number]): void {
  const at = (step: number) => toPoint((step / steps) * Math.PI * 2);
  const [startX, startY] = at(0);
  pen.beginPath();
  pen.moveTo(snap(startX), snap(startY));
  for (let step = 0; step < steps; step++) {
    // Catmull and Rom: the line leaves each point in the direction of its neighbours.
    const [before, from, to, after] = [at(step - 1), at(step), at(step + 1), at(step + 2)];
    const leaving = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6] as const;
    const arriving = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6] as const;
    pen.bezierCurveTo(
      snap(leaving[0]),
      snap(leaving[1]),
      snap(arriving[0]),
      snap(arriving[1]),
      snap(to[0]),
      snap(to[1]),
    );
  }
  pen.closePath();
}

/** Rings of waves that cross each other, as on banknotes. `lobes` waves; rings between both radii; `wide` stretches them. */
export function drawRosette(
  pen: Pen,
  { x, y, radius }: Circle,
  options: { lobes: number; rings: number; inner: number; wide?: number; color: string; width: number },
): void {
  const { lobes, rings, inner, wide = 1 } = options;
  pen.strokeStyle = options.color;
  pen.lineWidth = options.width;
  const swing = (radius - inner) * 0.22;
  for (let ring = 0; ring < rings; ring++) {
    const share = ring / Math.max(1, rings - 1);
    const middle = inner + swing + (radius - inner - 2 * swing) * share;
    for (const phase of [0, Math.PI]) {
      traceCurve(pen, lobes * 4, (angle) => {
        const distance = middle + swing * Math.sin(lobes * angle + phase + share * Math.PI);
        return [x + wide * distance * Math.cos(angle), y + distance * Math.sin(angle)];
      });
      pen.stroke();
    }
  }
}

/** Two tails of a ribbon that hang from a seal. */
export function drawRibbon(pen: Pen, { x, y, radius }: Circle, color: string): void {
  for (const side of [-1, 1]) {
    pen.save();
    pen.translate(x, y);
    pen.rotate(side * 0.32);
    pen.fillStyle = color;
    const width = radius * 0.52;
    pen.beginPath();
    pen.moveTo(-width / 2, 0);
    pen.lineTo(width / 2, 0);
    pen.lineTo(width / 2, radius * 1.75);
    pen.lineTo(0, radius * 1.5);
    pen.lineTo(-width / 2, radius * 1.75);
    pen.closePath();
    pen.fill();
    pen.restore();
  }
}

function traceStar(pen: Pen, { x, y, radius }: Circle, points: number): void {
  pen.beginPath();
  for (let corner = 0; corner < points * 2; corner++) {
    const angle = (corner / points) * Math.PI;
    const distance = corner % 2 === 0 ? radius : radius * 0.42;
    pen.lineTo(x + distance * Math.sin(angle), y - distance * Math.cos(angle));
  }
  pen.closePath();
}

/** A seal with a scalloped edge, a motto around it and a star in the middle. */
export function drawSeal(
  pen: Pen,
  circle: Circle,
  options: { motto: string; metal: string; paper: string; family?: Family },
): void {
  const { x, y, radius } = circle;
  pen.fillStyle = options.metal;
  traceCurve(pen, 28 * 4, (angle) => {
    const distance = radius * (0.96 + 0.04 * Math.cos(angle * 28));
    return [x + distance * Math.cos(angle), y + distance * Math.sin(angle)];
  });
  pen.fill();
  pen.strokeStyle = options.paper;
  for (const [share, width] of [
    [0.87, 1.2],
    [0.57, 1.2],
    [0.53, 0.6],
  ] as const) {
    pen.lineWidth = width;
    pen.beginPath();
    pen.arc(x, y, radius * share, 0, Math.PI * 2);
    pen.stroke();
  }
  const size = radius * 0.19;
  writeAround(
    pen,
    options.motto,
    { x, y, radius: radius * 0.655 },
    { family: options.family ?? "Sheet Serif", size, color: options.paper, spacing: size * 0.04 },
  );
  pen.fillStyle = options.paper;
  traceStar(pen, { x, y, radius: radius * 0.36 }, 5);
  pen.fill();
}

/** A signature that nobody ever wrote: a line of loops, different for each seed. */
export function drawSignature(
  pen: Pen,
  x: number,
  y: number,
  options: { color: string; seed: number },
): void {
  const { seed } = options;
  pen.save();
  pen.translate(x, y);
  pen.strokeStyle = options.color;
  pen.lineWidth = 1.8;
  pen.lineCap = "round";
  pen.lineJoin = "round";
  pen.beginPath();
  const steps = 220;
  for (let step = 0; step <= steps; step++) {
    const share = step / steps;
    const fade = 1 - share * 0.75;
    const turn = share * (22 + (seed % 5) * 2);
    const tall = 11 + 13 * Math.max(0, Math.sin(share * 9 + seed)) * fade;
    pen.lineTo(
      -70 + share * 140 + 9 * Math.sin(turn + seed) * fade,
      -8 - share * 6 + tall * Math.cos(turn * 0.92 + seed * 0.7) * fade,
    );
  }
  pen.stroke();
  pen.restore();
}
