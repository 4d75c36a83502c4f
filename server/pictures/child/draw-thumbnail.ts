import { type Canvas, createCanvas } from "@napi-rs/canvas";
import type { ThumbnailJob } from "../job.ts";
import { fitWidth, readDimensions } from "./dimensions.ts";
import { loadImage } from "./load-image.ts";

let firstPage: Promise<typeof import("./draw-first-page.ts")> | undefined;

/** pdf.js is large, and most files are none of its. Loaded once, it is found again where the way to it is closed since. */
export function loadFirstPage() {
  firstPage ??= import("./draw-first-page.ts");
  return firstPage;
}

/** Decoded, four bytes a pixel: 200 MB. */
const MAX_PIXELS = 50_000_000;
const WEBP_QUALITY = 82;

async function drawPhoto(bytes: Buffer, width: number): Promise<Canvas> {
  const claimed = readDimensions(bytes);
  if (claimed.width * claimed.height > MAX_PIXELS)
    throw new Error(`${claimed.width} × ${claimed.height} pixels are too many`);
  const image = await loadImage(bytes);
  // The decoder has turned a photo as its EXIF orientation says: sides may have changed places.
  const size = fitWidth(image, width, false);
  const canvas = createCanvas(size.width, size.height);
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, size.width, size.height);
  return canvas;
}

/** The library draws an SVG at the size that it is given, and loads nothing but `data:` addresses. */
async function drawSvg(bytes: Buffer, width: number): Promise<Canvas> {
  const image = await loadImage(bytes);
  const size = fitWidth(image, width, true);
  image.width = size.width;
  image.height = size.height;
  const canvas = createCanvas(size.width, size.height);
  canvas.getContext("2d").drawImage(image, 0, 0, size.width, size.height);
  return canvas;
}

async function drawByType(job: ThumbnailJob, bytes: Buffer): Promise<Canvas> {
  switch (job.type) {
    case "photo":
      return drawPhoto(bytes, job.width);
    case "svg":
      return drawSvg(bytes, job.width);
    case "pdf": {
      // 0.2 s that only a PDF has to wait for.
      const { drawFirstPage } = await loadFirstPage();
      return drawFirstPage(bytes, job.width);
    }
  }
}

/** A smaller copy of a stored file's picture, as WebP. @throws Error when the file is broken, too large or empty. */
export async function drawThumbnail(job: ThumbnailJob, bytes: Buffer): Promise<Buffer> {
  return (await drawByType(job, bytes)).encodeSync("webp", WEBP_QUALITY);
}
