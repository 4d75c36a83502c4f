/** Events that show that somebody uses the page: it is hydrated at once then. */
const SIGNS_OF_USE = ["pointerdown", "keydown", "focusin", "touchstart"] as const;
/** A page that never comes to rest is hydrated anyway. */
const IDLE_TIMEOUT_MS = 2000;

/** Follows a link as the browser would have done. */
function follow(element: HTMLElement) {
  if (element instanceof HTMLAnchorElement) location.assign(element.href);
}

/**
 * Loads the app when the page is at rest, or at the first sign of use. Until it runs, a click on an element that needs
 * it (`data-replay`) is kept and made again afterwards; if the app can't be loaded, links are followed as they are.
 * @param loadApp resolves when the page is hydrated.
 */
export function runHydration(loadApp: () => Promise<void>): void {
  let isBegun = false;
  let clicked: HTMLElement | null = null;

  async function load() {
    if (isBegun) return;
    isBegun = true;
    let answer = (element: HTMLElement) => element.click();
    try {
      await loadApp();
      document.documentElement.dataset.app = "ready";
    } catch (error) {
      answer = follow;
      console.error("The page's scripts could not be loaded.", error);
      // Screens that are nothing without scripts say so (`.when-app-failed`).
      document.documentElement.dataset.app = "failed";
    }
    // First of all: what is clicked from here on is not to be kept.
    document.removeEventListener("click", keepClick, true);
    for (const sign of SIGNS_OF_USE) removeEventListener(sign, load, true);
    if (clicked) answer(clicked);
  }

  function keepClick(event: MouseEvent) {
    const element =
      event.target instanceof Element ? event.target.closest<HTMLElement>("[data-replay]") : null;
    const isPlain =
      event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!element || !isPlain) return;
    event.preventDefault();
    event.stopPropagation();
    clicked = element;
    void load();
  }

  document.addEventListener("click", keepClick, true);
  for (const sign of SIGNS_OF_USE) addEventListener(sign, load, { capture: true, passive: true });
  const whenIdle = () =>
    "requestIdleCallback" in window
      ? requestIdleCallback(() => void load(), { timeout: IDLE_TIMEOUT_MS })
      : setTimeout(() => void load(), 200);
  if (document.readyState === "complete") whenIdle();
  else addEventListener("load", whenIdle, { once: true });
}
