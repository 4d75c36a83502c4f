import type { Logger } from "pino";
import { createConcurrencyGate } from "#server/base/limits.ts";
import type { DrawInput } from "./drawing-child.ts";
import { DrawingError } from "./drawing-error.ts";
import type { DrawingProcess } from "./drawing-process.ts";
import { createFailureMemory } from "./failure-memory.ts";
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

export function createDrawer(parts: {
  drawing: Pick<DrawingProcess, "draw">;
  log: Pick<Logger, "warn">;
  now: () => Date;
}): Drawer {
  const { drawing, log, now } = parts;
  const failures = createFailureMemory(now);
  const runOne = createConcurrencyGate({ running: 1, waiting: MAX_JOBS - 1 });
  return {
    async draw(source, job, openInput) {
      if (failures.has(source)) return undefined;
      return runOne(async () => {
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
