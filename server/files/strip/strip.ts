import { stripAvif } from "./avif.ts";
import { stripPng, stripWebp } from "./chunks.ts";
import { stripJpeg } from "./jpeg.ts";

/**
 * Takes out of pictures what stands in them beside the picture: EXIF with place, camera and serial numbers, XMP, IPTC, comments, small
 * copies from before a crop, and whatever follows the end. Pixels, colour profile, animation and the way up stay, to the bit:
 * nothing is decoded or encoded. Each filter goes through the bytes once and follows no length that leads out of them, so it runs in
 * the server's process: no decoder sees the bytes. SVG and PDF are left as they are, since what is metadata there can be content.
 */
const FILTERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  "image/jpeg": stripJpeg,
  "image/png": stripPng,
  "image/webp": stripWebp,
  "image/avif": stripAvif,
};

/** The same picture without metadata, and the same bytes where it has none. @throws Error when it is broken. */
export function stripMetadata(bytes: Buffer, mediaType: string): Buffer {
  const strip = FILTERS[mediaType];
  if (!strip) return bytes;
  const stripped = strip(bytes);
  return stripped.equals(bytes) ? bytes : stripped;
}
