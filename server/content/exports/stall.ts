import type { Readable } from "node:stream";

/** A reader who takes next to nothing for this long would hold one of two connections for ever. */
const STALL_TIMEOUT_MS = 60_000;
/** To be taken in that time, where there is so much. */
const LEAST_BYTES = 64 * 1024;

/** Runs a check again and again. @returns how to stop. */
export type Repeat = (check: () => void) => () => void;

const everyMinute: Repeat = (check) => {
  const timer = setInterval(check, STALL_TIMEOUT_MS);
  return () => clearInterval(timer);
};

/** Calls when a reader didn't take from one check to the next what lay ready for them. @returns how to stop watching. */
export function watchStall(
  stream: Readable,
  countBytes: () => number,
  onStall: () => void,
  repeat: Repeat = everyMinute,
): () => void {
  let before = 0;
  // Nothing there: PostgreSQL is at work, and the reader waits.
  let lay = 0;
  return repeat(() => {
    const taken = countBytes() - stream.readableLength;
    if (taken - before < Math.min(lay, LEAST_BYTES)) onStall();
    before = taken;
    lay = stream.readableLength;
  });
}
