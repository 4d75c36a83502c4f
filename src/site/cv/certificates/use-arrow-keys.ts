import { useEffect, useEffectEvent } from "react";
import type { Direction } from "./swipe.ts";

const KEYS: Readonly<Record<string, Direction>> = { ArrowLeft: "previous", ArrowRight: "next" };

/** Left and right, wherever the focus is but in a text: a click into the dialog may leave it on nothing. */
export function useArrowKeys(onMove: (direction: Direction) => void): void {
  const press = useEffectEvent(({ key, target, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) => {
    const direction = target instanceof HTMLInputElement ? undefined : KEYS[key];
    if (direction && !altKey && !ctrlKey && !metaKey && !shiftKey) onMove(direction);
  });
  useEffect(() => {
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
