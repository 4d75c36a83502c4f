/** How many items a slide holds: from 600 px on, and on narrower screens. carousel.css has a rule for each number. */
export interface PerSlide {
  wide: 2 | 4;
  narrow: 1 | 3;
}

/** Where a carousel stands. `index` counts from 0. */
export interface SlidePosition {
  index: number;
  count: number;
}

export function countSlides(items: number, perSlide: number): number {
  return Math.ceil(items / perSlide);
}

/** Reads the position from the scrolled box itself: a slide is as wide as the box, so no item is ever measured. */
export function readPosition(
  box: Pick<HTMLElement, "clientWidth" | "scrollWidth" | "scrollLeft">,
): SlidePosition {
  const { clientWidth, scrollWidth, scrollLeft } = box;
  if (clientWidth === 0) return { index: 0, count: 1 };
  const count = Math.max(1, Math.round(scrollWidth / clientWidth));
  return { index: Math.min(count - 1, Math.round(scrollLeft / clientWidth)), count };
}
