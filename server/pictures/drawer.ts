import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import { createWorkQueue } from "#server/base/limits.ts";
import { type DrawInput, DrawingError, type DrawingProcess } from "./drawing-process.ts";
import type { DrawJob } from "./job.ts";

/** About what a page with 20 certificates asks for in all its widths at once, three times. */
const MAX_JOBS = 200;

/** Draws one picture after the other. */
export interface Drawer {
  /**
   * Undefined when it can't be drawn: found out now, or a while ago for the same `source`.
   * @param source key of what the picture is made of.
   * @throws AppError unavailable when too many wait; what `openInput` failed with.
   */
  draw(
    source: string,
    job: DrawJob,
    openInput: () => Promise<DrawInput | undefined>,
  ): Promise<Uint8Array | undefined>;
}

export function createDrawer(deps: {
  drawing: Pick<DrawingProcess, "draw">;
  log: Pick<Logger, "warn">;
  now: () => Date;
}): Drawer {
  const { drawing, log, now } = deps;
  const failures = createFailureMemory(now);
  const queue = createWorkQueue({ slots: 1, maxWaiting: MAX_JOBS - 1 });
  return {
    async draw(source, job, openInput) {
      if (failures.has(source)) return undefined;
      return queue.inSlot(async () => {
        // It may have failed in another width while this one waited.
        if (failures.has(source)) return undefined;
        try {
          return await drawing.draw(job, openInput);
        } catch (error) {
          if (!(error instanceof DrawingError)) throw error;
          failures.add(source);
          log.warn({ source, job: job.kind, reason: error.message }, "a picture could not be drawn");
          return undefined;
        }
      });
    },
  };
}

const MAX_KEYS = 1000;
const REMEMBERED_MS = 10 * 60 * 1000;

/** What could not be drawn a while ago, so that nobody makes the server try again and again. */
export interface FailureMemory {
  add(key: string): void;
  has(key: string): boolean;
}

function createFailureMemory(now: () => Date): FailureMemory {
  const failedAt = new LRUCache<string, number>({ max: MAX_KEYS });
  return {
    add: (key) => void failedAt.set(key, now().getTime()),
    // The clock may have gone back since.
    has: (key) => Math.abs(now().getTime() - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY)) < REMEMBERED_MS,
  };
}
