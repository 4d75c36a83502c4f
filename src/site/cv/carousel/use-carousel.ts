import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { readPosition, type SlidePosition } from "./slides.ts";

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
export function useCarousel(first: SlidePosition): CarouselState {
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
