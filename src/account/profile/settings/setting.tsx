import { useEffect, useRef, useState } from "react";
import { toReason } from "../../../ui/failure-text.ts";
import { useAccountText } from "../../account-text.tsx";

export type SettingPhase =
  | { step: "idle" }
  | { step: "saving" }
  | { step: "saved" }
  | { step: "failed"; reason: string };

/** One setting that is saved at once: what is shown, how saving stands, and how to change it or to try again. */
export interface Setting<T> {
  value: T;
  phase: SettingPhase;
  choose: (value: T) => void;
  retry: () => void;
}

/**
 * Shows a choice at once and sends it. Of several in a row only the last is sent after the one under way, so that the server
 * ends with what is shown. A failure keeps the choice, to be tried again.
 * @param delayMs waits for the end of a movement, as of a slider.
 */
export function useSetting<T>(saved: T, send: (value: T) => Promise<void>, delayMs = 0): Setting<T> {
  const t = useAccountText();
  const [chosen, setChosen] = useState<{ value: T } | null>(null);
  const [phase, setPhase] = useState<SettingPhase>({ step: "idle" });
  const turn = useRef(0);
  const line = useRef(Promise.resolve());
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; save: () => void } | null>(null);

  async function sendLast(mine: number, value: T) {
    if (mine !== turn.current) return;
    try {
      await send(value);
      if (mine !== turn.current) return;
      setChosen(null);
      setPhase({ step: "saved" });
    } catch (error) {
      console.warn("A setting could not be saved.", error);
      if (mine === turn.current) setPhase({ step: "failed", reason: toReason(error, t) });
    }
  }

  function save(value: T) {
    waiting.current = null;
    turn.current += 1;
    const mine = turn.current;
    setPhase({ step: "saving" });
    line.current = line.current.then(() => sendLast(mine, value));
  }

  useEffect(
    () => () => {
      // The screen is left in the middle of a movement: it counts.
      if (!waiting.current) return;
      clearTimeout(waiting.current.timer);
      waiting.current.save();
    },
    [],
  );

  return {
    value: chosen ? chosen.value : saved,
    phase,
    choose(value) {
      setChosen({ value });
      if (waiting.current) clearTimeout(waiting.current.timer);
      if (delayMs === 0) return save(value);
      waiting.current = { timer: setTimeout(() => save(value), delayMs), save: () => save(value) };
    },
    retry: () => chosen && save(chosen.value),
  };
}
