import { AppError } from "#server/base/errors.ts";
import { ChildEndedError, type DrawInput, type DrawingChild, startDrawingChild } from "./drawing-child.ts";
import { DrawingError } from "./drawing-error.ts";
import type { DrawJob } from "./job.ts";

const TIMEOUT_MS = 10_000;
const IDLE_MS = 20_000;

/** Draws in a process of its own, which starts with the first job and ends when there is none for a while. */
export interface DrawingProcess {
  /**
   * One job at a time. `openInput` may be called twice: a process that had worked before and ended is replaced once.
   * @throws DrawingError; AppError unavailable after `close`; what `openInput` or its stream failed with.
   */
  draw(job: DrawJob, openInput: () => Promise<DrawInput | undefined>): Promise<Uint8Array>;
  /** Undefined while none runs. */
  getPid(): number | undefined;
  /** Resolves when none is left. */
  close(): Promise<void>;
}

export function createDrawingProcess({ timeoutMs = TIMEOUT_MS, idleMs = IDLE_MS } = {}): DrawingProcess {
  let child: DrawingChild | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  let allEnded: Promise<unknown> = Promise.resolve();

  function start(): DrawingChild {
    const started = startDrawingChild();
    allEnded = Promise.all([allEnded, started.ended]);
    void started.ended.then(() => {
      if (child === started) child = undefined;
    });
    return started;
  }

  function end(): void {
    clearTimeout(idle);
    child?.kill();
    child = undefined;
  }

  async function attempt(job: DrawJob, input: DrawInput | undefined): Promise<Uint8Array> {
    if (isClosed) {
      input?.stream.destroy();
      throw new AppError("unavailable");
    }
    clearTimeout(idle);
    child ??= start();
    const current = child;
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      current.kill();
    }, timeoutMs);
    try {
      const answer = await current.draw(job, input);
      if (!answer.isOk) throw new DrawingError(answer.reason);
      if (answer.isSpent) end();
      else idle = setTimeout(end, idleMs);
      return answer.picture;
    } catch (error) {
      // What a broken file has left behind shall not meet the next one.
      end();
      if (isClosed) throw new AppError("unavailable", { cause: error });
      throw isLate ? new DrawingError(`not drawn within ${timeoutMs} ms`) : error;
    } finally {
      clearTimeout(limit);
    }
  }

  return {
    async draw(job, openInput) {
      const hadWorked = child !== undefined;
      try {
        return await attempt(job, await openInput());
      } catch (error) {
        if (!hadWorked || !(error instanceof ChildEndedError)) throw error;
        return attempt(job, await openInput());
      }
    },
    getPid: () => child?.pid,
    async close() {
      isClosed = true;
      end();
      await allEnded;
    },
  };
}
