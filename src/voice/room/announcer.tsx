import { useEffect, useRef, useState } from "react";
import type { Call } from "../call/call.ts";
import { useVoiceText } from "../voice-text.tsx";
import { announce, findHeldBack, type Said } from "./announce.ts";

/** What comes within so long is said as one, so that a room that fills up doesn't flood. */
const GATHER_MS = 1000;

/** Tells screen readers what changes in the call. */
export function Announcer({ call, isPushToTalk }: { call: Call; isPushToTalk: boolean }) {
  const t = useVoiceText();
  const [text, setText] = useState("");
  const said = useRef(call.store.getState());
  const kept = useRef<Said>({ mutes: new Map(), away: new Set() });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let heldBack: ReturnType<typeof setTimeout> | undefined;
    const speak = () => {
      timer = undefined;
      const now = call.store.getState();
      const nowMs = performance.now();
      const lines = announce(said.current, now, { ...kept.current, t, isPushToTalk, nowMs });
      said.current = now;
      const restMs = findHeldBack(now, kept.current, nowMs);
      clearTimeout(heldBack);
      if (restMs !== undefined) heldBack = setTimeout(speak, restMs);
      if (now.phase === "in" && lines.length === 0) return;
      if (lines.length > 0) setText(lines.join(". "));
    };
    const onChange = () => {
      const now = call.store.getState();
      // Where somebody comes in, the roster follows: who is there already didn't just come.
      if (now.phase === "in" && said.current.phase !== "in") {
        said.current = now;
        kept.current = { mutes: new Map(), away: new Set() };
        clearTimeout(timer);
        timer = setTimeout(() => {
          timer = undefined;
          const later = call.store.getState();
          said.current = later;
          if (later.phase !== "in") return;
          const { length } = later.people;
          setText(length === 0 ? t("call:say.inRoomAlone") : t("call:say.inRoom", { count: length }));
        }, GATHER_MS);
      } else timer ??= setTimeout(speak, GATHER_MS);
    };
    const stop = call.store.subscribe(onChange);
    return () => {
      clearTimeout(timer);
      clearTimeout(heldBack);
      stop();
    };
  }, [call, t, isPushToTalk]);

  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
}
