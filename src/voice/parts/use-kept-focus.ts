import { type RefObject, useEffect } from "react";

const PLACES = "section, li, dialog";

function isDisabled(element: Element): boolean {
  return element.matches(":disabled");
}

/** The heading of the innermost part that is still there; the page's where none is. */
function findHeading(places: readonly Element[], root: Element): HTMLElement | null {
  const place = places.find((one) => one.isConnected && one.querySelector("h1, h2")) ?? root;
  return place.querySelector<HTMLElement>("h1, h2");
}

/**
 * What a person works with may vanish under them (a banner that is put away, a button whose work is done) or be disabled for a
 * while: the focus then goes to the heading of its part, or back to it, and not to the page's beginning.
 */
export function useKeptFocus(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = ref.current;
    if (!root) return;
    let last: { element: HTMLElement; places: Element[]; wasDisabled: boolean } | undefined;

    const onFocusIn = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      const places: Element[] = [];
      for (let place = target.closest(PLACES); place; place = place.parentElement?.closest(PLACES) ?? null)
        places.push(place);
      last = { element: target, places, wasDisabled: false };
    };
    // A press on nothing takes the focus too, and is meant so.
    const onPress = () => {
      if (document.activeElement === document.body) last = undefined;
    };
    const observer = new MutationObserver(() => {
      if (!last || (document.activeElement !== document.body && document.activeElement !== last.element))
        return;
      const { element, places } = last;
      if (element.isConnected) {
        if (isDisabled(element)) last.wasDisabled = true;
        else if (last.wasDisabled) element.focus({ preventScroll: true });
        return;
      }
      const heading = findHeading(places, root);
      if (!heading) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });

    root.addEventListener("focusin", onFocusIn);
    document.addEventListener("pointerup", onPress);
    observer.observe(root, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ["disabled"],
    });
    return () => {
      root.removeEventListener("focusin", onFocusIn);
      document.removeEventListener("pointerup", onPress);
      observer.disconnect();
    };
  }, [ref]);
}
