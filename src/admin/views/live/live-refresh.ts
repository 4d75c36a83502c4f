import type { QueryClient } from "@tanstack/react-query";
import * as z from "zod/mini";

/** However much is written elsewhere, a list is asked for again at most so often. */
export const REFRESH_INTERVAL_MS = 1000;
/** A server that can't answer now is asked again after this, until it can. */
export const RETRY_AFTER_MS = 10_000;

interface LiveRefreshOptions {
  /** Fetches what is shown; resolves when it is there or has failed. */
  refresh: () => Promise<unknown>;
  /** Nobody sees the list, or a fetch or write is under way that must end first. Asked again at `retry`. */
  isHeldBack: () => boolean;
}

/** Paces the refreshing of a list that receives writes. */
export interface LiveRefresh {
  /** Something was written: refreshes at once, or a second after the last time. */
  notice(): void;
  /** What held it back may be over. */
  retry(): void;
  /** A fetch of the list has begun, whoever asked for it: what was noticed before will be in it. */
  begin(): void;
  /** It has ended. `isLost`: it has failed, and what was to be in it has to be asked for later. */
  end(isLost: boolean): void;
  close(): void;
}

export function createLiveRefresh({ refresh, isHeldBack }: LiveRefreshOptions): LiveRefresh {
  let isDue = false;
  let isResting = false;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let failed: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  async function run(): Promise<void> {
    if (!isDue || isResting || isClosed || isHeldBack()) return;
    isDue = false;
    isResting = true;
    const rested = new Promise<void>((resolve) => {
      resting = setTimeout(resolve, REFRESH_INTERVAL_MS);
    });
    // One at a time: a list that takes longer than the interval is let through.
    await Promise.all([refresh(), rested]);
    isResting = false;
    await run();
  }

  function notice(): void {
    isDue = true;
    void run();
  }

  return {
    notice,
    retry: () => void run(),
    begin() {
      isDue = false;
    },
    end(isLost) {
      clearTimeout(failed);
      if (isLost && !isClosed) failed = setTimeout(notice, RETRY_AFTER_MS);
      void run();
    },
    close() {
      isClosed = true;
      clearTimeout(resting);
      clearTimeout(failed);
    },
  };
}

const variables = z.object({ resource: z.string() });

/** Writes of this page to one resource. Refine refreshes the lists behind each. */
export interface OwnWrites {
  isWriting(): boolean;
  close(): void;
}

/**
 * `onSettled`: a write has ended, and the lists behind it are being fetched if it has succeeded. What was received until then
 * is in them. What is received later counts: an event can't say that nobody else has written.
 */
export function followOwnWrites(
  queryClient: QueryClient,
  resource: string,
  onSettled: () => void,
): OwnWrites {
  const mutations = queryClient.getMutationCache();
  const isOurs = (value: unknown) => variables.safeParse(value).data?.resource === resource;
  const isWriting = () =>
    mutations.getAll().some(({ state }) => state.status === "pending" && isOurs(state.variables));

  const close = mutations.subscribe(({ type, mutation }) => {
    if (type !== "updated" || !mutation || !isOurs(mutation.state.variables)) return;
    const { status } = mutation.state;
    if (status === "success" || status === "error") onSettled();
  });
  return { isWriting, close };
}
