import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { LIMITS } from "#contract/limits.ts";
import type { KeyStorage } from "#providers/safe-storage.ts";

const KEY = "new-address-resend";
const TICK_MS = 250;
const kept = z.object({ email: z.string(), ready_at: z.number() });

function readMoment(storage: KeyStorage, email: string): number | undefined {
  try {
    const found = kept.parse(JSON.parse(storage.getItem(KEY) ?? "null"));
    return found.email === email ? found.ready_at : undefined;
  } catch {
    // Nothing, or something else, stands under this key.
    return undefined;
  }
}

/** Seconds until another code may be asked for. An address that this tab sees first has just got one. */
export function useResendMoment(storage: KeyStorage, email: string, now: () => number) {
  const [readyAt, setReadyAt] = useState(
    () => readMoment(storage, email) ?? now() + LIMITS.codeResendCooldownS * 1000,
  );
  const [secondsLeft, setSecondsLeft] = useState(0);

  useEffect(() => {
    storage.setItem(KEY, JSON.stringify({ email, ready_at: readyAt }));
    const measure = () => setSecondsLeft(Math.max(0, Math.ceil((readyAt - now()) / 1000)));
    measure();
    const timer = setInterval(measure, TICK_MS);
    return () => clearInterval(timer);
  }, [storage, email, readyAt, now]);

  return { secondsLeft, waitFor: (seconds: number) => setReadyAt(now() + seconds * 1000) };
}
