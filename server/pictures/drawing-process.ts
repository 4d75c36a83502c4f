import type { Readable } from "node:stream";
import { AppError } from "#server/base/errors.ts";
import { openLink } from "./child/link.ts";
import { type DrawAnswer, type DrawJob, type DrawRequest, drawAnswer } from "./job.ts";
import { type ChildStarter, ownStarter } from "./start-child.ts";

/** A picture that could not be drawn, with the reason for the log. Asking again soon would end the same way. */
export class DrawingError extends Error {
  override name = "DrawingError";
}

/** A job's input: streamed, so that the server never holds a whole file. */
export interface DrawInput {
  stream: Readable;
  byteSize: number;
}

/** It ended before it had answered. */
class ChildEndedError extends DrawingError {
  override name = "ChildEndedError";
}

/** One process that draws, see child/main.ts. */
interface DrawingChild {
  getPid(): number | undefined;
  /** Resolves when it is gone; never rejects. */
  ended: Promise<void>;
  /** One at a time. @throws ChildEndedError, or what the input's stream failed with. */
  draw(job: DrawJob, input: DrawInput | undefined): Promise<DrawAnswer>;
  kill(): void;
}

function startDrawingChild(starter: ChildStarter): DrawingChild {
  const child = starter.start();
  const failure = child.ended.then((text): never => {
    throw new ChildEndedError(`the drawing process ended with ${text}`);
  });
  failure.catch(() => undefined); // it may end while nobody waits for an answer
  const opened = child.socket.then((socket) => {
    socket.on("error", () => undefined); // a connection that breaks shows when the process ends
    return openLink(socket);
  });

  return {
    getPid: child.getPid,
    ended: child.ended.then(() => undefined),
    async draw(job, input) {
      const link = await Promise.race([opened, failure]);
      // A child that ends is said by how it ended.
      const message = link.readValue().catch(() => failure);
      message.catch(() => undefined); // the input may fail first
      const request: DrawRequest = { job, byteSize: input?.byteSize ?? 0 };
      link.writeValue(request);
      for await (const chunk of input?.stream ?? [])
        await Promise.race([link.write(chunk).catch(() => failure), failure]);
      const answer = drawAnswer.safeParse(await Promise.race([message, failure]));
      return answer.data ?? { isOk: false, reason: "the drawing process answered in another form" };
    },
    kill: child.kill,
  };
}

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

export function createDrawingProcess({
  timeoutMs = TIMEOUT_MS,
  idleMs = IDLE_MS,
  starter = ownStarter,
} = {}): DrawingProcess {
  let child: DrawingChild | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;
  let allEnded: Promise<unknown> = Promise.resolve();

  function start(): DrawingChild {
    const started = startDrawingChild(starter);
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
    getPid: () => child?.getPid(),
    async close() {
      isClosed = true;
      end();
      await allEnded;
      await starter.close();
    },
  };
}
