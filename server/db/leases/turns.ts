import type { Leases } from "./lease.ts";

/** Work by the clock that one process of the site does at a time. */
export interface Turns {
  /** Begins: the first turn is over when this resolves, unless the work is another process's. */
  start(): Promise<void>;
  /** Ends the turn at hand, and lets others have the work. */
  close(): Promise<void>;
}

/**
 * A turn at the start, one each `everyMs`, and one when the work becomes this process's because the one that had it is gone. Turns
 * come one after the other.
 */
export function createTurns({
  leases,
  name,
  everyMs,
  run,
}: {
  leases: Pick<Leases, "keep">;
  name: string;
  everyMs: number;
  /** Never throws. `signal`: the work isn't this process's any more. */
  run(signal: AbortSignal): Promise<void>;
}): Turns {
  let isOpen = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  function turn(): Promise<void> {
    running = running.then(async () => {
      if (isOpen && duty.isMine()) await run(duty.signal);
    });
    return running;
  }
  const duty = leases.keep(name, () => void turn());

  return {
    async start() {
      isOpen = true;
      timer = setInterval(turn, everyMs).unref();
      await turn();
    },
    async close() {
      isOpen = false;
      clearInterval(timer);
      await running;
      await duty.giveUp();
    },
  };
}
