import { useEffect, useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import type { Call } from "../call/call.ts";
import { useVoiceText } from "../voice-context.tsx";

/** The screen stays on during a call; a page that was hidden asks again when it is shown. */
export function useWakeLock(): void {
  useEffect(() => {
    if (!("wakeLock" in navigator)) return;
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    async function request() {
      if (document.visibilityState !== "visible") return;
      try {
        const next = await navigator.wakeLock.request("screen");
        if (isOver) await next.release();
        else lock = next;
      } catch (error) {
        // A low battery refuses it: the call goes on without.
        console.info("The screen may go dark during the call.", error);
      }
    }
    void request();
    const onShown = () => void request();
    document.addEventListener("visibilitychange", onShown);
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", onShown);
      void lock?.release();
    };
  }, []);
}

/** Keys of headsets and keyboards, and the browser's own call controls. Typed here because TypeScript's are behind. */
interface CallMediaSession {
  setActionHandler(action: string, handler: (() => void) | null): void;
  setMicrophoneActive?(isActive: boolean): void;
}

const ACTIONS = ["togglemicrophone", "hangup"] as const;

export function useMediaSession(call: Call, isMuted: boolean): void {
  useEffect(() => {
    if (!("mediaSession" in navigator)) return;
    const session = navigator.mediaSession as unknown as CallMediaSession;
    const handlers = {
      togglemicrophone() {
        const state = call.store.getState();
        if (state.phase === "in" && !state.me.isListening) void call.setMuted(!state.me.isMuted);
      },
      hangup: () => call.leave(),
    };
    const set = (name: (typeof ACTIONS)[number], handler: (() => void) | null) => {
      try {
        session.setActionHandler(name, handler);
      } catch {
        // A browser that doesn't know the key has none to handle.
      }
    };
    for (const name of ACTIONS) set(name, handlers[name]);
    return () => {
      for (const name of ACTIONS) set(name, null);
    };
  }, [call]);

  useEffect(() => {
    if (!("mediaSession" in navigator)) return;
    (navigator.mediaSession as unknown as CallMediaSession).setMicrophoneActive?.(!isMuted);
  }, [isMuted]);
}

/** Fields and buttons have the space bar for themselves. */
const OWN_SPACE = "input, textarea, select, button, summary, a[href], [contenteditable], dialog";

/** While the space bar is held, the person is heard. Leaving the page lets go of it. */
export function usePushToTalk(call: Call, isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const isOurs = ({ code, target }: KeyboardEvent) =>
      code === "Space" && !(target instanceof Element && target.closest(OWN_SPACE));
    const onDown = (event: KeyboardEvent) => {
      if (!isOurs(event)) return;
      // Else the page scrolls.
      event.preventDefault();
      if (!event.repeat) void call.setPushed(true);
    };
    const onUp = (event: KeyboardEvent) => {
      if (event.code === "Space") void call.setPushed(false);
    };
    const letGo = () => void call.setPushed(false);
    window.addEventListener("keydown", onDown);
    window.addEventListener("keyup", onUp);
    window.addEventListener("blur", letGo);
    return () => {
      window.removeEventListener("keydown", onDown);
      window.removeEventListener("keyup", onUp);
      window.removeEventListener("blur", letGo);
      letGo();
    };
  }, [call, isActive]);
}

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

/** The way back to the first entry is under way: browsers go it a moment later. */
let isPopping = false;

function popGuard(): void {
  // Another page may stand there by now.
  if (isPopping || !isOnGuard()) return;
  isPopping = true;
  const popped = () => {
    isPopping = false;
  };
  window.addEventListener("popstate", popped, { once: true });
  window.history.back();
}

function useLeaveGuard(onLeave: () => void) {
  const [wanted, setWanted] = useState<HTMLAnchorElement | "back">();
  useEffect(() => {
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
    const begin = () => {
      pushGuard();
      window.addEventListener("popstate", onPopState);
    };
    // Before the router's own listener at the root.
    window.addEventListener("click", onClick, { capture: true });
    // Of the call before this one: that is no Back of the person's.
    if (isPopping) window.addEventListener("popstate", begin, { once: true });
    else begin();
    return () => {
      window.removeEventListener("click", onClick, { capture: true });
      window.removeEventListener("popstate", begin);
      window.removeEventListener("popstate", onPopState);
      popGuard();
    };
  }, []);
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

/** While it is drawn, whatever would end the call by leading to another page asks first: a link, or Back. */
export function LeaveGuard({ onLeave }: { onLeave: () => void }) {
  const t = useVoiceText();
  const guard = useLeaveGuard(onLeave);
  if (!guard.isAsking) return null;
  return (
    <Dialog title={t("call:leave.title")} onCancel={guard.stay}>
      <p>{t(guard.isBack ? "call:leave.backText" : "call:leave.text")}</p>
      <div className="dialog-buttons">
        <button type="button" className="voice-button" onClick={guard.stay}>
          {t("call:leave.stay")}
        </button>
        <button type="button" className="button-danger" onClick={guard.go}>
          {t("call:leave.go")}
        </button>
      </div>
    </Dialog>
  );
}
