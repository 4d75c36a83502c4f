import type { Readable } from "node:stream";

/** A reader who takes next to nothing for this long would hold one of two connections for ever. */
export const STALL_TIMEOUT_MS = 60_000;
/** To be taken in that time, where there is so much. */
const LEAST_BYTES = 64 * 1024;

/** Calls when a reader didn't take in time what lay ready for them. @returns how to stop watching. */
export function watchStall(
  stream: Readable,
  countBytes: () => number,
  onStall: () => void,
  timeoutMs: number,
): () => void {
  let before = 0;
  // Nothing there: PostgreSQL is at work, and the reader waits.
  let lay = 0;
  const timer = setInterval(() => {
    const taken = countBytes() - stream.readableLength;
    if (taken - before < Math.min(lay, LEAST_BYTES)) onStall();
    before = taken;
    lay = stream.readableLength;
  }, timeoutMs);
  return () => clearInterval(timer);
}
