import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Call } from "../call/call.ts";
import { useVoiceText } from "../voice-text.tsx";
import { announce, findHeldBack, type Said } from "./announce.ts";

/** What comes within so long is said as one, so that a room that fills up doesn't flood. */
const GATHER_MS = 1000;

/** Tells screen readers who is there, and then what changes. Drawn while one is in the room. */
export function Announcer({ call, isPushToTalk }: { call: Call; isPushToTalk: boolean }) {
  const t = useVoiceText();
  const [text, setText] = useState("");
  const said = useRef(call.store.getState());
  const kept = useRef<Said>({ mutes: new Map(), away: new Set() });

  /** The roster follows the join: who is in it then didn't just come. */
  const greet = useEffectEvent(() => {
    const now = call.store.getState();
    said.current = now;
    if (now.phase !== "in") return;
    const { length } = now.people;
    setText(length === 0 ? t("call:say.inRoomAlone") : t("call:say.inRoom", { count: length }));
  });

  /** @returns in how many milliseconds more is to be said that is held back now. */
  const speak = useEffectEvent((): number | undefined => {
    const now = call.store.getState();
    const nowMs = performance.now();
    const lines = announce(said.current, now, { ...kept.current, t, isPushToTalk, nowMs });
    said.current = now;
    if (lines.length > 0) setText(lines.join(". "));
    return findHeldBack(now, kept.current, nowMs);
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let heldBack: ReturnType<typeof setTimeout> | undefined;
    const run = () => {
      timer = undefined;
      const restMs = speak();
      clearTimeout(heldBack);
      if (restMs !== undefined) heldBack = setTimeout(run, restMs);
    };
    timer = setTimeout(() => {
      timer = undefined;
      greet();
    }, GATHER_MS);
    const stop = call.store.subscribe(() => {
      timer ??= setTimeout(run, GATHER_MS);
    });
    return () => {
      clearTimeout(timer);
      clearTimeout(heldBack);
      stop();
    };
  }, [call]);

  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
}
