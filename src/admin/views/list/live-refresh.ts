/** However much is written elsewhere, a list is asked for again at most so often. */
export const REFRESH_INTERVAL_MS = 1000;

interface LiveRefreshOptions {
  /** Fetches what is shown; resolves when it is there or has failed. */
  refresh: () => Promise<unknown>;
  /** Nobody sees the list, or somebody writes and will refresh it. Asked again at `retry`. */
  isHeldBack: () => boolean;
}

/** Paces the refreshing of a list that hears of writes. */
export interface LiveRefresh {
  /** Something was written: refreshes at once, or a second after the last time. */
  notice(): void;
  /** What held it back may be over. */
  retry(): void;
  /** The list was fetched from the start, by somebody else: what was noticed before is in it. */
  forget(): void;
  close(): void;
}

export function createLiveRefresh({ refresh, isHeldBack }: LiveRefreshOptions): LiveRefresh {
  let isDue = false;
  let isResting = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  async function run(): Promise<void> {
    if (!isDue || isResting || isClosed || isHeldBack()) return;
    isDue = false;
    isResting = true;
    const rested = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, REFRESH_INTERVAL_MS);
    });
    // One at a time: a list that takes longer than the interval is let through.
    await Promise.all([refresh(), rested]);
    isResting = false;
    await run();
  }

  return {
    notice() {
      isDue = true;
      void run();
    },
    retry: () => void run(),
    forget() {
      isDue = false;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
