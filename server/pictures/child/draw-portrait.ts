import { createCanvas } from "@napi-rs/canvas";
import type { PortraitJob } from "../job.ts";
import { MAX_PORTRAIT_PIXELS, readDimensions } from "./dimensions.ts";
import { loadImage, requireWhole } from "./load-image.ts";

const WEBP_QUALITY = 84;

/**
 * A person's picture from its pixels alone, as WebP: nothing else of the upload is in it, neither where it was taken nor what
 * was hidden behind it. Of an animation it is the first picture. Never enlarged: one that is too small keeps its pixels.
 * @throws Error when the file is broken, breaks off or is too large.
 */
export async function drawPortrait(job: PortraitJob, bytes: Buffer): Promise<Buffer> {
  const claimed = readDimensions(bytes);
  if (claimed.width * claimed.height > MAX_PORTRAIT_PIXELS)
    throw new Error(`${claimed.width} × ${claimed.height} pixels are too many`);
  requireWhole(bytes);
  // The decoder turns a photo as its EXIF orientation says.
  const image = await loadImage(bytes);
  if (!(image.width > 0 && image.height > 0)) throw new Error("the picture has no area");
  const scale = Math.max(job.width / image.width, job.height / image.height);
  const [cutWidth, cutHeight] = [job.width / scale, job.height / scale];
  const shrink = Math.min(1, scale);
  const toPixels = (length: number) => Math.max(1, Math.round(length * shrink));
  const canvas = createCanvas(toPixels(cutWidth), toPixels(cutHeight));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  const [left, top] = [(image.width - cutWidth) / 2, (image.height - cutHeight) / 2];
  context.drawImage(image, left, top, cutWidth, cutHeight, 0, 0, canvas.width, canvas.height);
  return canvas.encodeSync("webp", WEBP_QUALITY);
}
