import { createCanvas } from "@napi-rs/canvas";
import type { Pen } from "./sheet.ts";

const SIZE = 800;
const JPEG_QUALITY = 80;

const COLORS = {
  wallTop: "#f3c98b",
  wallLow: "#e58f6e",
  sun: "#fbe3b4",
  hillFar: "#cf6f63",
  hillNear: "#8c4a5c",
  hair: "#2c2233",
  hairLight: "#4a3a55",
  skin: "#e9b08b",
  skinShade: "#d3936f",
  blush: "#dd8a72",
  knit: "#1f5a63",
  knitShade: "#174750",
  knitLight: "#2f7580",
  glasses: "#20242e",
  glass: "#ffffff40",
  lips: "#b3564f",
  white: "#fff8ef",
} as const;

function fillPath(pen: Pen, color: string, trace: () => void): void {
  pen.fillStyle = color;
  pen.beginPath();
  trace();
  pen.fill();
}

function drawWall(pen: Pen): void {
  const wall = pen.createLinearGradient(0, 0, 0, SIZE);
  wall.addColorStop(0, COLORS.wallTop);
  wall.addColorStop(1, COLORS.wallLow);
  pen.fillStyle = wall;
  pen.fillRect(0, 0, SIZE, SIZE);
  fillPath(pen, COLORS.sun, () => pen.arc(400, 356, 292, 0, Math.PI * 2));
  fillPath(pen, COLORS.hillFar, () => {
    pen.moveTo(0, 610);
    pen.bezierCurveTo(140, 520, 250, 560, 380, 620);
    pen.bezierCurveTo(520, 680, 640, 560, 800, 590);
    pen.lineTo(800, 800);
    pen.lineTo(0, 800);
  });
  fillPath(pen, COLORS.hillNear, () => {
    pen.moveTo(0, 700);
    pen.bezierCurveTo(160, 640, 300, 690, 430, 720);
    pen.bezierCurveTo(560, 750, 680, 670, 800, 700);
    pen.lineTo(800, 800);
    pen.lineTo(0, 800);
  });
}

function drawHairBehind(pen: Pen): void {
  fillPath(pen, COLORS.hair, () => pen.ellipse(400, 132, 74, 68, 0, 0, Math.PI * 2));
  fillPath(pen, COLORS.hair, () => {
    pen.moveTo(228, 392);
    pen.bezierCurveTo(206, 220, 300, 150, 400, 150);
    pen.bezierCurveTo(500, 150, 594, 220, 572, 392);
    pen.bezierCurveTo(570, 462, 574, 520, 540, 556);
    pen.bezierCurveTo(500, 580, 300, 580, 260, 556);
    pen.bezierCurveTo(226, 520, 230, 462, 228, 392);
  });
}

function drawBody(pen: Pen): void {
  fillPath(pen, COLORS.knit, () => {
    pen.moveTo(112, 800);
    pen.bezierCurveTo(122, 672, 220, 640, 318, 612);
    pen.lineTo(482, 612);
    pen.bezierCurveTo(580, 640, 678, 672, 688, 800);
  });
  fillPath(pen, COLORS.skinShade, () => {
    pen.moveTo(338, 500);
    pen.lineTo(338, 600);
    pen.bezierCurveTo(360, 630, 440, 630, 462, 600);
    pen.lineTo(462, 500);
  });
  fillPath(pen, COLORS.knitLight, () => pen.roundRect(318, 570, 164, 74, 30));
  pen.strokeStyle = COLORS.knit;
  pen.lineWidth = 4;
  for (let rib = 0; rib < 8; rib++) {
    pen.beginPath();
    pen.moveTo(338 + rib * 17.7, 578);
    pen.lineTo(338 + rib * 17.7, 636);
    pen.stroke();
  }
  pen.strokeStyle = COLORS.knitShade;
  pen.lineWidth = 5;
  pen.lineCap = "round";
  for (const side of [-1, 1]) {
    pen.beginPath();
    pen.moveTo(400 + side * 176, 800);
    pen.quadraticCurveTo(400 + side * 184, 752, 400 + side * 200, 722);
    pen.stroke();
  }
}

function drawFace(pen: Pen): void {
  for (const side of [-1, 1]) {
    fillPath(pen, COLORS.skinShade, () => pen.ellipse(400 + side * 144, 392, 24, 36, 0, 0, Math.PI * 2));
    fillPath(pen, COLORS.sun, () => pen.arc(400 + side * 150, 438, 9, 0, Math.PI * 2));
  }
  fillPath(pen, COLORS.skin, () => {
    pen.moveTo(256, 340);
    pen.bezierCurveTo(252, 250, 320, 214, 400, 214);
    pen.bezierCurveTo(480, 214, 548, 250, 544, 340);
    pen.bezierCurveTo(548, 450, 500, 556, 400, 560);
    pen.bezierCurveTo(300, 556, 252, 450, 256, 340);
  });
  pen.globalAlpha = 0.45;
  for (const side of [-1, 1])
    fillPath(pen, COLORS.blush, () => pen.ellipse(400 + side * 92, 452, 34, 22, 0, 0, Math.PI * 2));
  pen.globalAlpha = 1;
}

function drawFringe(pen: Pen): void {
  fillPath(pen, COLORS.hair, () => {
    pen.moveTo(240, 372);
    pen.bezierCurveTo(236, 240, 300, 178, 400, 178);
    pen.bezierCurveTo(500, 178, 564, 240, 560, 372);
    pen.bezierCurveTo(548, 330, 536, 300, 506, 268);
    pen.bezierCurveTo(452, 300, 372, 312, 304, 282);
    pen.bezierCurveTo(270, 306, 252, 336, 240, 372);
  });
  pen.strokeStyle = COLORS.hairLight;
  pen.lineWidth = 5;
  pen.lineCap = "round";
  for (const [from, bend, to] of [
    [
      [330, 214],
      [390, 190],
      [462, 210],
    ],
    [
      [300, 244],
      [380, 216],
      [486, 236],
    ],
    [
      [358, 108],
      [398, 92],
      [440, 110],
    ],
  ] as const) {
    pen.beginPath();
    pen.moveTo(from[0], from[1]);
    pen.quadraticCurveTo(bend[0], bend[1], to[0], to[1]);
    pen.stroke();
  }
}

function drawFeatures(pen: Pen): void {
  pen.lineCap = "round";
  for (const side of [-1, 1]) {
    const x = 400 + side * 68;
    pen.strokeStyle = COLORS.hair;
    pen.lineWidth = 9;
    pen.beginPath();
    pen.moveTo(x - 34, 334 + (side < 0 ? 4 : -4));
    pen.quadraticCurveTo(x, 318, x + 34, 334 + (side < 0 ? -4 : 4));
    pen.stroke();
    fillPath(pen, COLORS.hair, () => pen.ellipse(x, 394, 11, 14, 0, 0, Math.PI * 2));
    fillPath(pen, COLORS.white, () => pen.arc(x + 4, 389, 4, 0, Math.PI * 2));
    fillPath(pen, COLORS.glass, () => pen.arc(x, 394, 50, 0, Math.PI * 2));
    pen.strokeStyle = COLORS.glasses;
    pen.lineWidth = 8;
    pen.beginPath();
    pen.arc(x, 394, 50, 0, Math.PI * 2);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(x + side * 50, 388);
    pen.lineTo(400 + side * 146, 376);
    pen.stroke();
  }
  pen.beginPath();
  pen.moveTo(382, 390);
  pen.quadraticCurveTo(400, 376, 418, 390);
  pen.stroke();
  pen.strokeStyle = COLORS.skinShade;
  pen.lineWidth = 7;
  pen.beginPath();
  pen.moveTo(402, 416);
  pen.quadraticCurveTo(424, 456, 392, 458);
  pen.stroke();
  pen.strokeStyle = COLORS.lips;
  pen.lineWidth = 9;
  pen.beginPath();
  pen.moveTo(352, 494);
  pen.quadraticCurveTo(400, 530, 450, 490);
  pen.stroke();
}

/** The sample's person: a picture of nobody, in flat colours. */
export function drawPortrait(): Buffer {
  const canvas = createCanvas(SIZE, SIZE);
  const pen = canvas.getContext("2d");
  for (const draw of [drawWall, drawHairBehind, drawBody, drawFace, drawFringe, drawFeatures]) draw(pen);
  return canvas.encodeSync("jpeg", JPEG_QUALITY);
}
