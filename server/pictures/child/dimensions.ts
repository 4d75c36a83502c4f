/** A size in pixels or in units of a drawing. */
export interface Size {
  width: number;
  height: number;
}

/** A page of 1 × 100,000 units would become a strip without end: nothing is taller than this many times the width. */
const MAX_RATIO = 4;

/**
 * The whole pixels and the scale at which something fits a width. Pixels are never enlarged, drawings (`canGrow`) are.
 * @throws Error when there is nothing to scale.
 */
export function fitWidth(natural: Size, width: number, canGrow: boolean): Size & { scale: number } {
  const { width: naturalWidth, height: naturalHeight } = natural;
  if (!(naturalWidth > 0 && naturalHeight > 0)) throw new Error("the picture has no area");
  const scale = Math.min(
    width / naturalWidth,
    (width * MAX_RATIO) / naturalHeight,
    canGrow ? Number.POSITIVE_INFINITY : 1,
  );
  const toPixels = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: toPixels(naturalWidth), height: toPixels(naturalHeight), scale };
}
