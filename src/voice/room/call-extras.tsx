import { useEffect } from "react";
import type { Call } from "../call/call.ts";

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
