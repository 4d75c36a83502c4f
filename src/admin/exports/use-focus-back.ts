import { type RefObject, useEffect, useRef } from "react";

/**
 * The button that cancels an export goes with its end, and its focus would be lost to the top of the page. The one that starts
 * the next one takes it, unless somebody has gone elsewhere meanwhile.
 */
export function useFocusBack(isRunning: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const wasRunning = useRef(false);
  useEffect(() => {
    const hasEnded = wasRunning.current && !isRunning;
    wasRunning.current = isRunning;
    if (hasEnded && document.activeElement === document.body) button.current?.focus();
  }, [isRunning]);
  return button;
}
