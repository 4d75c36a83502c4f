import { type PointerEvent, type TouchEvent, useRef, useSyncExternalStore } from "react";

/** Whether fingers have enlarged the page: one finger moves it then. */
function isEnlarged(): boolean {
  return (window.visualViewport?.scale ?? 1) > 1.01;
}

function subscribe(onChange: () => void): () => void {
  window.visualViewport?.addEventListener("resize", onChange);
  return () => window.visualViewport?.removeEventListener("resize", onChange);
}

/** `isEnlarged`, drawn anew when it changes. */
export function useIsEnlarged(): boolean {
  return useSyncExternalStore(subscribe, isEnlarged, () => false);
}

/** A swipe is longer than this (specification A section 9). */
const SWIPE_PX = 40;

export type Direction = "previous" | "next";

interface Point {
  clientX: number;
  clientY: number;
}

/** Where a finger's way leads; null when it was short or rather a vertical one. Content follows the finger: to the left is next. */
export function readSwipe(from: Point, to: Point): Direction | null {
  const across = to.clientX - from.clientX;
  const down = to.clientY - from.clientY;
  if (Math.abs(across) <= SWIPE_PX || Math.abs(across) <= Math.abs(down)) return null;
  return across < 0 ? "next" : "previous";
}

/**
 * Handlers for an element that is swiped. They only listen: scrolling and zooming with fingers stay the browser's own.
 * Touches come as touch events, because the browser takes pointer events away as soon as it begins to scroll.
 */
export function useSwipe(onSwipe: (direction: Direction) => void) {
  const start = useRef<Point>(null);
  const forget = () => {
    start.current = null;
  };
  const end = (to: Point | undefined) => {
    const direction = start.current && to && readSwipe(start.current, to);
    forget();
    if (direction && !isEnlarged()) onSwipe(direction);
  };
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const finger = touches[0];
      start.current =
        touches.length === 1 && finger ? { clientX: finger.clientX, clientY: finger.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => end(changedTouches[0]),
    onTouchCancel: forget,
    onPointerDown: ({ pointerType, button, clientX, clientY }: PointerEvent) => {
      if (pointerType !== "touch" && button === 0) start.current = { clientX, clientY };
    },
    onPointerUp: (event: PointerEvent) => {
      if (event.pointerType !== "touch") end(event);
    },
    onPointerLeave: ({ pointerType }: PointerEvent) => {
      if (pointerType !== "touch") forget();
    },
  };
}
