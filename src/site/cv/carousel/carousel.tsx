import { Children, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { usePage } from "../../../ui/page-context.tsx";
import { CvSection } from "../cv-section.tsx";

/** How many items a slide holds: from 600 px on, and on narrower screens. carousel.css has a rule for each number. */
export interface PerSlide {
  wide: 2 | 4;
  narrow: 1 | 3;
}

/** Where a carousel stands. `index` counts from 0. */
interface SlidePosition {
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

/** Scrolling counts as over when no scroll event came for so long. Safari has `scrollend` only since version 26. */
const SETTLE_MS = 150;

export interface CarouselState extends SlidePosition {
  boxRef: RefObject<HTMLUListElement | null>;
  onScroll: () => void;
  goTo: (index: number) => void;
  /** The slide that an arrow or dot led to last; undefined until then. Slides reached by scrolling are not announced. */
  announced: SlidePosition | undefined;
}

/**
 * Follows a box that scrolls slide by slide, and moves it.
 * @param first what the server draws; the truth of the screen replaces it once the page is hydrated.
 */
function useCarousel(first: SlidePosition): CarouselState {
  const boxRef = useRef<HTMLUListElement>(null);
  const [position, setPosition] = useState(first);
  const [announced, setAnnounced] = useState<SlidePosition>();
  /** While the box glides to a slide, that slide counts as shown: a second click goes on from there. */
  const isGliding = useRef(false);
  const settleTimer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const follow = useCallback(() => {
    const box = boxRef.current;
    if (!box || isGliding.current) return;
    const next = readPosition(box);
    setPosition((last) => (last.index === next.index && last.count === next.count ? last : next));
  }, []);

  const settleSoon = useCallback(() => {
    clearTimeout(settleTimer.current);
    settleTimer.current = setTimeout(() => {
      isGliding.current = false;
      follow();
    }, SETTLE_MS);
  }, [follow]);

  useEffect(() => {
    follow();
    window.addEventListener("resize", follow);
    return () => {
      window.removeEventListener("resize", follow);
      clearTimeout(settleTimer.current);
    };
  }, [follow]);

  const goTo = (index: number) => {
    const box = boxRef.current;
    if (!box) return;
    const next = { index, count: readPosition(box).count };
    isGliding.current = true;
    setPosition(next);
    setAnnounced(next);
    box.scrollTo({ left: index * box.clientWidth });
    settleSoon();
  };

  const onScroll = () => {
    follow();
    settleSoon();
  };

  return { ...position, boxRef, onScroll, goTo, announced };
}

interface StepButtonProps {
  to: "previous" | "next";
  label: string;
  /** There is nothing further. The button keeps the focus, so that the keyboard isn't thrown to the page's beginning. */
  isAtEnd: boolean;
  onStep: () => void;
}

/** An arrow to the slide or certificate before or after. */
export function StepButton({ to, label, isAtEnd, onStep }: StepButtonProps) {
  return (
    <button
      type="button"
      className="step-button"
      aria-label={label}
      aria-disabled={isAtEnd}
      data-replay=""
      onClick={isAtEnd ? undefined : onStep}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={to === "previous" ? "M14.5 5.5 8 12l6.5 6.5" : "M9.5 5.5 16 12l-6.5 6.5"} />
      </svg>
    </button>
  );
}

interface CarouselProps {
  title: string;
  perSlide: PerSlide;
  /** Items without anything to focus: the box itself takes the keyboard then, to be scrolled with the arrow keys. */
  isStill?: boolean;
  /** `<li>` elements. */
  children: ReactNode;
}

/**
 * A section whose items scroll sideways, slide by slide. The browser scrolls (touch, trackpad, keyboard); arrows and dots
 * are added to that. Without scripting all items stand in rows, and there are neither arrows nor dots.
 *
 * The server draws the dots of the narrow screen, which has more slides; carousel.css hides those that the wide one lacks.
 */
export function Carousel({ title, perSlide, isStill = false, children }: CarouselProps) {
  const { t } = usePage();
  const items = Children.count(children);
  const narrow = countSlides(items, perSlide.narrow);
  const wide = countSlides(items, perSlide.wide);
  const { index, count, boxRef, onScroll, goTo, announced } = useCarousel({ index: 0, count: narrow });
  const widthClass = (slide: number) => (slide < wide ? "" : " narrow-only");
  const controlsClass = widthClass(1);
  const arrows = (
    <div className={`carousel-arrows${controlsClass}`}>
      <StepButton
        to="previous"
        label={t("site:cv.carousel.previous", { title })}
        isAtEnd={index === 0}
        onStep={() => goTo(index - 1)}
      />
      <StepButton
        to="next"
        label={t("site:cv.carousel.next", { title })}
        isAtEnd={index >= count - 1}
        onStep={() => goTo(index + 1)}
      />
    </div>
  );
  const dots = (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
    <div
      className={`carousel-dots${controlsClass}`}
      role="group"
      aria-label={t("site:cv.carousel.slides", { title })}
    >
      {Array.from({ length: narrow }, (_, slide) => (
        <button
          // biome-ignore lint/suspicious/noArrayIndexKey: a dot is its place
          key={slide}
          type="button"
          className={`carousel-dot${widthClass(slide)}`}
          aria-label={t("site:cv.carousel.slide", { number: slide + 1 })}
          aria-current={slide === index ? "true" : undefined}
          data-replay=""
          onClick={() => goTo(slide)}
        />
      ))}
    </div>
  );
  return (
    <CvSection title={title} controls={narrow > 1 && arrows}>
      <ul
        ref={boxRef}
        className={`carousel-box wide-${perSlide.wide} narrow-${perSlide.narrow}`}
        aria-label={title}
        tabIndex={isStill && narrow > 1 ? 0 : undefined}
        onScroll={onScroll}
      >
        {children}
      </ul>
      {narrow > 1 && dots}
      <p className="visually-hidden" role="status">
        {announced && t("site:cv.carousel.shown", { number: announced.index + 1, count: announced.count })}
      </p>
    </CvSection>
  );
}
