import { useSyncExternalStore } from "react";

/** No text of a relative time is older than this. */
const TICK_MS = 30_000;

const tickListeners = new Set<() => void>();
let ticks = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  ticks += 1;
  for (const listener of tickListeners) listener();
}

/** One clock for every time on the screen: a list has twenty. It stands while there is none. */
function subscribeTicks(listener: () => void): () => void {
  tickListeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    tickListeners.delete(listener);
    if (tickListeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Draws a component again twice a minute, so that what it says of the time stays true on a page that stays open. */
export function useMinutes(): void {
  useSyncExternalStore(subscribeTicks, () => ticks);
}
