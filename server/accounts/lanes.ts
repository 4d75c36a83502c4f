/** Runs work of the same key in order, one at a time. */
export interface Lanes {
  /**
   * After work that answers `isWrong`, the key's next one starts `pauseMs` later, and few wait for that: the others, and those
   * who come while it is so, are refused.
   * @throws Crowded.
   */
  run<Answer>(
    key: string,
    work: () => Promise<Answer>,
    isWrong: (error: unknown) => boolean,
  ): Promise<Answer>;
}

/** Too many wait already. */
export class Crowded extends Error {
  override name = "Crowded";
}

interface Lane {
  isBusy: boolean;
  /** Since the last one was wrong. */
  isPaused: boolean;
  waiting: PromiseWithResolvers<void>[];
}

const MAX_WAITING = 100;

export function createLanes({ pauseMs, maxPaused }: { pauseMs: number; maxPaused: number }): Lanes {
  const lanes = new Map<string, Lane>();

  async function enter(lane: Lane): Promise<void> {
    if (!lane.isBusy) {
      lane.isBusy = true;
      return;
    }
    if (lane.waiting.length >= (lane.isPaused ? maxPaused : MAX_WAITING)) throw new Crowded();
    const turn = Promise.withResolvers<void>();
    lane.waiting.push(turn);
    await turn.promise;
  }

  /** Whoever leaves hands the place over. */
  function pass(key: string, lane: Lane): void {
    lane.isPaused = false;
    const next = lane.waiting.shift();
    if (next) next.resolve();
    else lanes.delete(key);
  }

  function pause(key: string, lane: Lane): void {
    lane.isPaused = true;
    for (const turn of lane.waiting.splice(maxPaused)) turn.reject(new Crowded());
    setTimeout(() => pass(key, lane), pauseMs).unref();
  }

  return {
    async run(key, work, isWrong) {
      const lane = lanes.get(key) ?? { isBusy: false, isPaused: false, waiting: [] };
      lanes.set(key, lane);
      await enter(lane);
      let leave = pass;
      try {
        return await work();
      } catch (error) {
        if (pauseMs > 0 && isWrong(error)) leave = pause;
        throw error;
      } finally {
        leave(key, lane);
      }
    },
  };
}
