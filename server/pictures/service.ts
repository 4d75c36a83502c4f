import type { PictureSize } from "#contract/cv.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";

/** Widths in pixels that a file's picture exists in. */
export const PICTURE_WIDTHS = [192, 384, 768] as const;
export type PictureWidth = (typeof PICTURE_WIDTHS)[number];

/** Where smaller copies of a file's picture are: `/pictures/<hash>.<ending>/<width>.webp`. They are made when first asked for. */
export function getPictureSizes(file: string): PictureSize[] {
  const key = file.slice(FILE_PREFIX.length);
  return PICTURE_WIDTHS.map((width) => ({ src: `/pictures/${key}/${width}.webp`, width }));
}
