import type { Start } from "../session/start.ts";

interface StarterOptions {
  read: () => Promise<Start>;
  open: (start: Start) => void;
  /** The console can't be opened now; `retry` tries again from the beginning and settles with the outcome on the screen. */
  fail: (error: unknown, retry: () => Promise<void>) => void;
}

/** Opens the console, or says why it can't be. However often it is called, one attempt is under way. */
export function createStarter({ read, open, fail }: StarterOptions): () => Promise<void> {
  let running: Promise<void> | undefined;

  async function attempt(): Promise<void> {
    try {
      open(await read());
    } catch (error) {
      console.error(error);
      fail(error, start);
    }
  }

  function start(): Promise<void> {
    running ??= attempt().finally(() => {
      running = undefined;
    });
    return running;
  }
  return start;
}
