import { type Canvas, createCanvas, Path2D, type SKRSContext2D, SvgExportFlag } from "@napi-rs/canvas";
import type { IconJob } from "../job.ts";
import { HEADING_FONTS, registerFonts, toFont } from "./set-text.ts";

/** Units of the drawing, whatever its size in pixels. */
const SIDE = 32;
const CORNER = 7;
/** Of the side: what letters may take. Home screens cut shapes out of a square, the middle of 80 % stays. */
const ROOM = { rounded: 0.74, square: 0.56 } as const;
const CAP_HEIGHT = 15;
/** The product's own: a door that stands open. */
const DOOR = "M10 26V10.5a6 6 0 0 1 12 0V26";
const KNOB = { x: 18.4, y: 18.4, radius: 1.6 } as const;
const LINE = 2.6;
/** Of the plain font there is no heavier one: a line around its letters makes them so. */
const EXTRA_LINE = 0.5;

function drawMark(context: SKRSContext2D, isSquare: boolean): void {
  if (isSquare) {
    context.translate(SIDE * 0.1, SIDE * 0.1);
    context.scale(0.8, 0.8);
  }
  context.lineWidth = LINE;
  context.lineCap = "round";
  context.stroke(new Path2D(DOOR));
  context.beginPath();
  context.arc(KNOB.x, KNOB.y, KNOB.radius, 0, 2 * Math.PI);
  context.fill();
}

/** One letter or two, as large as there is room for, in the middle of what is drawn of them. `isOutlined`: the line is left to the caller. */
function drawLetters(
  context: SKRSContext2D,
  { letters, fonts, isSquare }: IconJob,
  isOutlined = false,
): void {
  const font = HEADING_FONTS[fonts];
  const style = { font, weight: font === "body" ? 400 : 600 };
  const probe = 100;
  context.font = toFont(style, probe);
  const { actualBoundingBoxLeft, actualBoundingBoxRight } = context.measureText(letters);
  const { actualBoundingBoxAscent: capHeight } = context.measureText("H");
  const width = actualBoundingBoxLeft + actualBoundingBoxRight;
  const room = SIDE * ROOM[isSquare ? "square" : "rounded"];
  const scale = Math.min(room / width, (CAP_HEIGHT * (isSquare ? 0.8 : 1)) / capHeight);
  context.font = toFont(style, probe * scale);
  const left = (SIDE - width * scale) / 2 + actualBoundingBoxLeft * scale;
  // By the height of capitals, so that a dot or a cedilla moves nothing.
  const baseline = (SIDE + capHeight * scale) / 2;
  context.fillText(letters, left, baseline);
  if (font !== "body" || isOutlined) return;
  context.lineWidth = EXTRA_LINE;
  context.strokeText(letters, left, baseline);
}

function drawOn(context: SKRSContext2D, size: number, job: IconJob): void {
  context.scale(size / SIDE, size / SIDE);
  context.fillStyle = job.ground;
  context.beginPath();
  context.roundRect(0, 0, SIDE, SIDE, job.isSquare ? 0 : CORNER);
  context.fill();
  context.fillStyle = job.ink;
  context.strokeStyle = job.ink;
  if (job.letters) drawLetters(context, job);
  else drawMark(context, job.isSquare);
}

async function drawPng(job: IconJob, size: number): Promise<Buffer> {
  const canvas: Canvas = createCanvas(size, size);
  drawOn(canvas.getContext("2d"), size, job);
  return canvas.encode("png");
}

/** By hand, but for the outlines of the letters: whoever shows them needs no font, and a canvas writes a round corner as sixty curves. */
function drawSvg(job: IconJob): Buffer {
  const { ground, ink, letters, isSquare } = job;
  const canvas = createCanvas(SIDE, SIDE, SvgExportFlag.ConvertTextToPaths);
  const context = canvas.getContext("2d");
  context.fillStyle = ink;
  if (letters) drawLetters(context, job, true);
  const line = HEADING_FONTS[job.fonts] === "body" ? ` stroke="${ink}" stroke-width="${EXTRA_LINE}"` : "";
  const outlines =
    canvas
      .getContent()
      .toString("utf8")
      .match(/<path [^>]*>/g) ?? [];
  const drawn = letters
    ? outlines.join("").replaceAll("<path", `<path${line}`)
    : `<path d="${DOOR}" fill="none" stroke="${ink}" stroke-width="${LINE}" stroke-linecap="round"/><circle cx="${KNOB.x}" cy="${KNOB.y}" r="${KNOB.radius}" fill="${ink}"/>`;
  const corner = isSquare ? 0 : CORNER;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}"><rect width="${SIDE}" height="${SIDE}" rx="${corner}" fill="${ground}"/>${drawn}</svg>`,
  );
}

/** An ICO file that holds one PNG picture: a header of 6 bytes, 16 bytes for the picture, then the picture. */
function toIco(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

/** What a browser's tab or a home screen shows of the site: letters on the accent, or the product's mark where there are none. */
export async function drawIcon(job: IconJob): Promise<Buffer> {
  registerFonts();
  if (job.format === "svg") return drawSvg(job);
  const png = await drawPng(job, job.size);
  return job.format === "ico" ? toIco(png, job.size) : png;
}
