import { useEffect } from "react";

/** The browser counts the clicks that follow each other at one place (`detail`), by the system's own idea of a double click. */
function dropLaterClick(event: MouseEvent) {
  const { target, detail } = event;
  if (detail < 2 || !(target instanceof Element) || !target.closest("main button")) return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * A double click on a button counts once: what its first click brings about may put another button under the pointer, which
 * nobody meant, or end so soon that the same thing would be done twice.
 */
export function useSingleClicks(): void {
  useEffect(() => {
    document.addEventListener("click", dropLaterClick, true);
    return () => document.removeEventListener("click", dropLaterClick, true);
  }, []);
}
