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

const isOnGuard = () => (window.history.state as { isCallGuard?: boolean } | null)?.isCallGuard === true;

/** A second entry of the same address, so that Back leads to the first one. The router takes both for one place. */
function pushGuard(): void {
  if (!isOnGuard()) window.history.pushState({ ...window.history.state, isCallGuard: true }, "");
}

/** While a call runs, whatever would end it by leading to another page asks first: a link, or Back. */
export function useLeaveGuard(isActive: boolean, onLeave: () => void) {
  const [wanted, setWanted] = useState<HTMLAnchorElement | "back">();
  useEffect(() => {
    if (!isActive) return;
    const onClick = (event: MouseEvent) => {
      const found = leadsAway(event);
      if (!found) return;
      event.preventDefault();
      event.stopPropagation();
      setWanted(found);
    };
    const onPopState = () => {
      if (!isOnGuard()) setWanted("back");
    };
    pushGuard();
    // Before the router's own listener at the root.
    window.addEventListener("click", onClick, { capture: true });
    window.addEventListener("popstate", onPopState);
    return () => {
      window.removeEventListener("click", onClick, { capture: true });
      window.removeEventListener("popstate", onPopState);
      // Another page may stand there by now.
      if (isOnGuard()) window.history.back();
      setWanted(undefined);
    };
  }, [isActive]);
  return {
    isAsking: wanted !== undefined,
    isBack: wanted === "back",
    stay() {
      setWanted(undefined);
      pushGuard();
    },
    go() {
      setWanted(undefined);
      const follow = () => (wanted === "back" ? window.history.back() : wanted?.click());
      // The guard goes with the call.
      if (isOnGuard()) window.addEventListener("popstate", () => setTimeout(follow), { once: true });
      else setTimeout(follow);
      onLeave();
    },
  };
}
