import { useEffect, useState } from "react";

/** Whether a click would lead away from this page in this tab. */
function leadsAway(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.href || (link.target !== "" && link.target !== "_self") || link.hasAttribute("download"))
    return undefined;
  const isSamePage = link.href.split("#")[0] === window.location.href.split("#")[0];
  return isSamePage ? undefined : link;
}

/**
 * While a call runs, a link that would end it asks first. @returns what was clicked; `go` follows it, `stay` doesn't.
 */
export function useLeaveGuard(isActive: boolean, onLeave: () => void) {
  const [link, setLink] = useState<HTMLAnchorElement>();
  useEffect(() => {
    if (!isActive) return;
    const onClick = (event: MouseEvent) => {
      const found = leadsAway(event);
      if (!found) return;
      event.preventDefault();
      event.stopPropagation();
      setLink(found);
    };
    // Before the router's own listener at the root.
    window.addEventListener("click", onClick, { capture: true });
    return () => window.removeEventListener("click", onClick, { capture: true });
  }, [isActive]);
  return {
    isAsking: link !== undefined,
    stay: () => setLink(undefined),
    go() {
      setLink(undefined);
      onLeave();
      // The guard goes with the call; the click is the person's own.
      queueMicrotask(() => setTimeout(() => link?.click()));
    },
  };
}
