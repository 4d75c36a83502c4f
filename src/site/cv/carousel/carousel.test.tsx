import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { act, fireEvent, screen, within } from "@testing-library/react";
import { show } from "../test-page.tsx";
import { Carousel, countSlides, type PerSlide, readPosition } from "./carousel.tsx";

describe("carousel", () => {
  const WIDTH = 600;
  /** Longer than the carousel waits for the next scroll event. */
  const SETTLED_MS = 200;

  /** A box of `slides` slides, as the browser lays it out: jsdom lays out nothing. */
  function layOut(slides: number) {
    const box = screen.getByRole("list");
    Object.defineProperties(box, {
      clientWidth: { value: WIDTH, configurable: true },
      scrollWidth: { value: WIDTH * slides, configurable: true },
    });
    const scrollTo = jest.fn(({ left }: { left: number }) => {
      box.scrollLeft = left;
    });
    Object.assign(box, { scrollTo });
    act(() => void window.dispatchEvent(new Event("resize")));
    return { box, scrollTo };
  }

  function open({ items = 7, perSlide = { wide: 4, narrow: 3 } as PerSlide, slides = 2 } = {}) {
    const page = show(
      <Carousel title="Tools" perSlide={perSlide} isStill>
        {Array.from({ length: items }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never move
          <li key={index}>Tool {index + 1}</li>
        ))}
      </Carousel>,
    );
    const isEnd = (name: string) =>
      screen.getByRole("button", { name }).getAttribute("aria-disabled") === "true";
    return {
      ...page,
      ...layOut(slides),
      arrows: {
        previous: screen.getByRole("button", { name: "Tools: previous slide" }),
        next: screen.getByRole("button", { name: "Tools: next slide" }),
      },
      getEnds: () => [isEnd("Tools: previous slide"), isEnd("Tools: next slide")],
      getCurrent: () =>
        within(screen.getByRole("group", { name: "Tools: slides" }))
          .getAllByRole("button")
          .filter((dot) => dot.getAttribute("aria-current") === "true")
          .map((dot) => dot.getAttribute("aria-label")),
    };
  }

  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const press = (element: HTMLElement) => fireEvent.click(element);

  test.each<[number, PerSlide, number, number]>([
    [7, { wide: 4, narrow: 3 }, 2, 3],
    [15, { wide: 2, narrow: 1 }, 8, 15],
    [4, { wide: 4, narrow: 3 }, 0, 2],
  ])(
    "%i items at %j have %i dots on a wide screen and %i on a narrow one",
    (items, perSlide, wide, narrow) => {
      open({ items, perSlide });
      const group = screen.getByRole("group", { name: "Tools: slides" });
      const dots = within(group).getAllByRole("button");
      expect(dots).toHaveLength(narrow);
      const isNarrowOnly = (element: HTMLElement) => element.classList.contains("narrow-only");
      expect(isNarrowOnly(group) ? 0 : dots.filter((dot) => !isNarrowOnly(dot)).length).toBe(wide);
    },
  );

  test("what fits on one slide has neither arrows nor dots nor a stop of the Tab key", () => {
    show(
      <Carousel title="Tools" perSlide={{ wide: 4, narrow: 3 }} isStill>
        <li>One</li>
      </Carousel>,
    );
    expect(screen.queryAllByRole("button")).toEqual([]);
    expect(screen.getByRole("list").hasAttribute("tabindex")).toBe(false);
  });

  test("arrows end at the ends, and an arrow at its end does nothing and keeps the focus", () => {
    const { arrows, getEnds, scrollTo } = open({ slides: 2 });
    expect(getEnds()).toEqual([true, false]);
    press(arrows.next);
    expect(scrollTo).toHaveBeenLastCalledWith({ left: WIDTH });
    expect(getEnds()).toEqual([false, true]);
    arrows.next.focus();
    press(arrows.next);
    expect(scrollTo).toHaveBeenCalledTimes(1);
    expect(document.activeElement).toBe(arrows.next);
  });

  test("clicks that come faster than the slides glide each count", () => {
    const { arrows, box, scrollTo, getCurrent } = open({
      items: 15,
      perSlide: { wide: 2, narrow: 1 },
      slides: 8,
    });
    press(arrows.next);
    box.scrollLeft = 0.2 * WIDTH;
    fireEvent.scroll(box);
    press(arrows.next);
    expect(scrollTo).toHaveBeenLastCalledWith({ left: 2 * WIDTH });
    expect(getCurrent()).toEqual(["Slide 3"]);
  });

  test("a dot leads to its slide and says so once", () => {
    const { getCurrent } = open({ slides: 3 });
    press(screen.getByRole("button", { name: "Slide 3" }));
    expect(getCurrent()).toEqual(["Slide 3"]);
    expect(screen.getByRole("status").textContent).toBe("Slide 3 of 3");
  });

  test("scrolling moves the mark and announces nothing", () => {
    const { box, getCurrent, getEnds } = open({ slides: 3 });
    box.scrollLeft = WIDTH;
    fireEvent.scroll(box);
    expect(getCurrent()).toEqual(["Slide 2"]);
    expect(getEnds()).toEqual([false, false]);
    expect(screen.getByRole("status").textContent).toBe("");
  });

  test("who stops a glide half-way sees where they are", () => {
    const { arrows, box, getCurrent } = open({ slides: 3 });
    press(arrows.next);
    box.scrollLeft = 0;
    fireEvent.scroll(box);
    expect(getCurrent()).toEqual(["Slide 2"]);
    act(() => void jest.advanceTimersByTime(SETTLED_MS));
    expect(getCurrent()).toEqual(["Slide 1"]);
  });

  test("another width of the window counts anew", () => {
    const { getEnds, box } = open({ slides: 3 });
    box.scrollLeft = WIDTH;
    layOut(2);
    expect(getEnds()).toEqual([false, true]);
  });
});

describe("slides", () => {
  test.each([
    [7, 4, 2],
    [7, 3, 3],
    [15, 2, 8],
    [15, 1, 15],
    [4, 4, 1],
    [1, 2, 1],
    [0, 4, 0],
  ])("%i items at %i a slide make %i slides", (items, perSlide, slides) => {
    expect(countSlides(items, perSlide)).toBe(slides);
  });

  test.each([
    ["at its beginning", 0, { index: 0, count: 4 }],
    ["less than half a slide on", 249, { index: 0, count: 4 }],
    ["more than half a slide on", 251, { index: 1, count: 4 }],
    ["a fraction of a pixel short", 999.4, { index: 2, count: 4 }],
    ["beyond its end, while it springs back", 1900, { index: 3, count: 4 }],
  ])("a box %s", (_where, scrollLeft, position) => {
    expect(readPosition({ clientWidth: 500, scrollWidth: 2000, scrollLeft })).toEqual(position);
  });

  test("a box that is not drawn has one slide", () => {
    expect(readPosition({ clientWidth: 0, scrollWidth: 0, scrollLeft: 0 })).toEqual({ index: 0, count: 1 });
  });
});
