import { type Canvas, createCanvas, PDFDocument, SvgExportFlag } from "@napi-rs/canvas";
import { CERTIFICATE_PLANS } from "../../../tools/sample-drawing/certificate-plans.ts";
import { encodeIndexedPng } from "../../../tools/sample-drawing/draw-certificate.ts";
import { type Pen, SHEET_HEIGHT, SHEET_WIDTH, type Sheet } from "./sheet.ts";
import { tidySvg } from "./tidy-svg.ts";

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
