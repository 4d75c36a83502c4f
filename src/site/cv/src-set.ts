import type { PictureSize } from "#contract/site/cv.ts";

/** Copies of a picture as `<img srcset>` takes them. */
export function toSrcSet(sizes: readonly PictureSize[]): string {
  return sizes.map(({ src, width }) => `${src} ${width}w`).join(", ");
}
