import { crc32, deflateSync } from "node:zlib";
import { type Canvas, createCanvas, PDFDocument, SvgExportFlag } from "@napi-rs/canvas";
import { CERTIFICATE_PLANS } from "./certificate-plans.ts";
import { type Pen, SHEET_HEIGHT, SHEET_WIDTH, type Sheet } from "./sheet.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLORS = 256;

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function distance(a: number, b: number): number {
  const part = (shift: number) => ((a >> shift) & 255) - ((b >> shift) & 255);
  return part(16) ** 2 + part(8) ** 2 + part(0) ** 2;
}

/** The most frequent colours, each as 0xRRGGBB, and the place among them of every colour's nearest. */
function choosePalette(colors: Uint32Array): { palette: number[]; places: Map<number, number> } {
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || a - b).map(([color]) => color);
  const palette = sorted.slice(0, MAX_COLORS);
  const places = new Map(palette.map((color, place) => [color, place]));
  for (const color of sorted.slice(MAX_COLORS)) {
    const distances = palette.map((known) => distance(color, known));
    places.set(color, distances.indexOf(Math.min(...distances)));
  }
  return { palette, places };
}

/** A PNG of at most 256 colours, a third of the size of a full one where areas are flat. `pixels` are opaque RGBA. */
function encodeIndexedPng(pixels: Uint8ClampedArray, width: number, height: number): Buffer {
  const colors = new Uint32Array(width * height);
  for (let at = 0; at < colors.length; at++) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at * 4, at * 4 + 3);
    colors[at] = (red << 16) | (green << 8) | blue;
  }
  const { palette, places } = choosePalette(colors);
  const rows = Buffer.alloc((width + 1) * height); // each row begins with its filter: 0, none
  for (const [at, color] of colors.entries())
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = places.get(color) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits, indexed, no interlace
  return Buffer.concat([
    SIGNATURE,
    toChunk("IHDR", header),
    toChunk("PLTE", Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
    toChunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Steps of a path's points per unit: finer than a screen shows, and whole numbers are short. */
const STEPS = 3;
const HEAD = /^[\s\S]*?<svg[^>]*?width="(\d+)" height="(\d+)">/;

/** Level and upright lines have letters of their own. */
function shorten(
  letter: string,
  [across = 0, down = 0, ...more]: readonly number[],
): [string, readonly number[]] {
  if (letter === "l" && down === 0) return ["h", [across]];
  return letter === "l" && across === 0 ? ["v", [down]] : [letter, [across, down, ...more]];
}

/** A path of absolute commands → the same in whole steps, each point relative to the one before. */
function toRelative(path: string): string {
  let [x, y] = [0, 0];
  let start = [0, 0];
  let last = "";
  return path.replaceAll(/([MLQC])([^MLQCZ]*)|Z/g, (_command, absolute?: string, numbers = "") => {
    if (!absolute) {
      [x = 0, y = 0] = start;
      last = "z";
      return "z";
    }
    const steps = [...numbers.matchAll(/-?[\d.]+(?:e-?\d+)?/g)].map(([text]) =>
      Math.round(Number(text) * STEPS),
    );
    const relative = steps.map((step, index) => step - (index % 2 === 0 ? x : y));
    const [letter, shortest] = shorten(absolute.toLowerCase(), relative);
    [x = 0, y = 0] = steps.slice(-2);
    if (letter === "m") start = [x, y];
    const separator = letter === last ? " " : letter;
    last = letter;
    return `${separator}${shortest.join(" ")}`.replaceAll(" -", "-");
  });
}

function tidyPath(element: string): string {
  const scaled = element
    .replace(/ d="([^"]*)"/, (_, path: string) => ` d="${toRelative(path)}"`)
    .replace(/ stroke-width="([^"]*)"/, (_, width: string) => ` stroke-width="${Number(width) * STEPS}"`);
  const scale = `scale(${(1 / STEPS).toFixed(5)})`;
  return scaled.includes(' transform="')
    ? scaled.replace(/ transform="([^"]*)"/, (_, transform: string) => ` transform="${transform} ${scale}"`)
    : scaled.replace("<path", `<path transform="${scale}"`);
}

/** Makes an exported SVG small, scalable, and named for who can't see it. */
function tidySvg(svg: string, title: string): string {
  const plain = title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return svg
    .replace(
      HEAD,
      (_, width, height) =>
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${plain}</title>`,
    )
    .replaceAll(/<path[^>]*>/g, tidyPath)
    .replaceAll(/ stroke-miterlimit="10"/g, "")
    .replaceAll(/\n\s*/g, "")
    .trim();
}

/** Points of a PDF page: A4 on its side is 842 wide. */
const PDF_SCALE = 842 / SHEET_WIDTH;
/** Pixels of a picture per unit: enough for the dialog that shows it. */
const PNG_SCALE = 1;
const JPEG_SCALE = 0.9;
const JPEG_QUALITY = 68;

type Draw = (pen: Pen) => void;

/** Text is drawn the same on every machine only when its language is said. */
function drawScaled(pen: Pen, scale: number, lang: string, draw: Draw): void {
  pen.lang = lang;
  pen.scale(scale, scale);
  draw(pen);
}

function toCanvas(scale: number, lang: string, draw: Draw): Canvas {
  const canvas = createCanvas(Math.floor(SHEET_WIDTH * scale), Math.floor(SHEET_HEIGHT * scale));
  drawScaled(canvas.getContext("2d"), scale, lang, draw);
  return canvas;
}

function toPng(lang: string, draw: Draw): Buffer {
  const canvas = toCanvas(PNG_SCALE, lang, draw);
  const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return encodeIndexedPng(data, width, height);
}

function toPdf(sheet: Sheet, draw: Draw): Buffer {
  const document = new PDFDocument({ title: sheet.title, author: sheet.issuer });
  const page = document.beginPage(Math.round(SHEET_WIDTH * PDF_SCALE), Math.round(SHEET_HEIGHT * PDF_SCALE));
  drawScaled(page, PDF_SCALE, sheet.lang, draw);
  document.endPage();
  return document.close();
}

/** Letters become shapes: the picture looks the same where these fonts are missing. */
function toSvg(sheet: Sheet, draw: Draw): Buffer {
  const canvas = createCanvas(SHEET_WIDTH, SHEET_HEIGHT, SvgExportFlag.ConvertTextToPaths);
  drawScaled(canvas.getContext("2d"), 1, sheet.lang, draw);
  return Buffer.from(tidySvg(canvas.getContent().toString("utf8"), sheet.title));
}

/** The file of a certificate, as its name's ending says. `toText` gives what the content says in the plan's language. */
export function drawCertificate(
  name: string,
  toText: (lang: Sheet["lang"]) => Pick<Sheet, "holder" | "title" | "issuer" | "date">,
): Buffer {
  const plan = CERTIFICATE_PLANS[name];
  if (!plan) throw new Error(`${name} has no plan in certificate-plans.ts`);
  const sheet = { ...plan, ...toText(plan.lang) };
  const draw: Draw = (pen) => plan.design(pen, sheet, plan.palette);
  if (name.endsWith(".pdf")) return toPdf(sheet, draw);
  if (name.endsWith(".svg")) return toSvg(sheet, draw);
  if (name.endsWith(".png")) return toPng(sheet.lang, draw);
  return toCanvas(JPEG_SCALE, sheet.lang, draw).encodeSync("jpeg", JPEG_QUALITY);
}
