/** Where a page's own events arrive. */
export interface PageEvents {
  window: Pick<EventTarget, "addEventListener" | "removeEventListener">;
  document: Pick<Document, "addEventListener" | "removeEventListener" | "visibilityState">;
}

/** What a page that was away asks of its connection. */
export interface ReturnHandlers {
  /** It was put away whole (back/forward cache): whatever it thinks it has is gone. */
  onRestored: () => void;
  /** It may be reachable again: the network has come back, or somebody looks at it. */
  onReturn: () => void;
}

/** @returns how to stop listening. */
export function listenForReturn({ window, document }: PageEvents, handlers: ReturnHandlers): () => void {
  const onShow = (event: Event) => {
    if ("persisted" in event && event.persisted) handlers.onRestored();
  };
  const onVisible = () => {
    if (document.visibilityState === "visible") handlers.onReturn();
  };
  window.addEventListener("online", handlers.onReturn);
  window.addEventListener("pageshow", onShow);
  document.addEventListener("visibilitychange", onVisible);
  // A frozen page that thaws in sight; not every browser tells that by `visibilitychange`.
  document.addEventListener("resume", onVisible);
  return () => {
    window.removeEventListener("online", handlers.onReturn);
    window.removeEventListener("pageshow", onShow);
    document.removeEventListener("visibilitychange", onVisible);
    document.removeEventListener("resume", onVisible);
  };
}
