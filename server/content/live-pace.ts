import { mergeChanges, type RowChange } from "../db/change-notices.ts";

/** A model's changes on their way to those who listen. */
export interface PacedChanges {
  add(change: RowChange): void;
  /** What waits is dropped. */
  close(): void;
}

/**
 * Tells a change at once, and what comes within the rest behind it as one, so that an import doesn't tell of each row. While
 * `tell` is at work nothing else is told: a slow database makes fewer events, not a queue. `tell` never rejects.
 */
export function paceChanges(
  tell: (change: RowChange) => Promise<void>,
  rest: () => Promise<unknown>,
): PacedChanges {
  let waiting: RowChange | undefined;
  let isTelling = false;
  let isClosed = false;

  const run = async () => {
    while (waiting && !isClosed) {
      const change = waiting;
      waiting = undefined;
      await Promise.all([tell(change), rest()]);
    }
    isTelling = false;
  };
  return {
    add(change) {
      waiting = waiting ? mergeChanges(waiting, change) : change;
      if (isTelling) return;
      isTelling = true;
      void run();
    },
    close() {
      isClosed = true;
    },
  };
}
