import type { Readable } from "node:stream";

/** A reader who takes nothing for this long would hold one of two connections for ever. */
export const STALL_TIMEOUT_MS = 60_000;

/** Calls when a stream has something to read and nobody took any of it for a while. @returns how to stop watching. */
export function watchStall(
  stream: Readable,
  countBytes: () => number,
  onStall: () => void,
  timeoutMs: number,
): () => void {
  let before = -1;
  const timer = setInterval(() => {
    const taken = countBytes() - stream.readableLength;
    // Nothing there: PostgreSQL is at work, and the reader waits.
    if (stream.readableLength > 0 && taken === before) onStall();
    before = taken;
  }, timeoutMs);
  return () => clearInterval(timer);
}
