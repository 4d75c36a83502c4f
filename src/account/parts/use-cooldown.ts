import { useEffect, useState } from "react";
import { type CodePurpose, keepResendMoment, readResendMoment } from "../code-moments.ts";

const TICK_MS = 1000;

/** Seconds until another code may be asked for (specification A section 4), live. */
export function useCooldown(purpose: CodePurpose, email: string) {
  const [untilMs, setUntilMs] = useState(0);
  const [nowMs, setNowMs] = useState(0);

  useEffect(() => {
    setNowMs(Date.now());
    setUntilMs(readResendMoment(purpose, email));
  }, [purpose, email]);

  const isRunning = untilMs > nowMs;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);

  return {
    secondsLeft: Math.max(0, Math.ceil((untilMs - nowMs) / 1000)),
    start(seconds: number) {
      const now = Date.now();
      keepResendMoment(purpose, email, now + seconds * 1000);
      setNowMs(now);
      setUntilMs(now + seconds * 1000);
    },
  };
}
