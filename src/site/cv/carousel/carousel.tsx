import { Children, type ReactNode } from "react";
import { usePage } from "../../../ui/page-context.tsx";
import { CvSection } from "../cv-section.tsx";
import { StepButton } from "../step-button.tsx";
import { countSlides, type PerSlide } from "./slides.ts";
import { useCarousel } from "./use-carousel.ts";

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
