import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { buildChildCommand } from "./child-command.ts";
import { DrawingError } from "./drawing-error.ts";
import { type DrawAnswer, type DrawJob, type DrawRequest, drawAnswer } from "./job.ts";

const LAST_WORDS_CHARS = 300;

/** A job's input: streamed, so that the server never holds a whole file. */
export interface DrawInput {
  stream: Readable;
  byteSize: number;
}

/** It ended before it had answered. */
export class ChildEndedError extends DrawingError {
  override name = "ChildEndedError";
}

/** One process that draws, see child/main.ts. */
export interface DrawingChild {
  pid: number | undefined;
  /** Resolves when it is gone; never rejects. */
  ended: Promise<void>;
  /** One at a time. @throws ChildEndedError, or what the input's stream failed with. */
  draw(job: DrawJob, input: DrawInput | undefined): Promise<DrawAnswer>;
  kill(): void;
}

export function startDrawingChild(): DrawingChild {
  const { file, args } = buildChildCommand();
  const child = spawn(file, args, {
    // It gets no settings, and with them no secrets.
    env: {},
    stdio: ["pipe", "ignore", "pipe", "ipc"],
    serialization: "advanced",
  });
  let lastWords = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS_CHARS);
  });
  const reason = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(`${signal ?? `exit code ${code}`}: ${lastWords.trim()}`));
  });
  const failure = reason.then((text): never => {
    throw new ChildEndedError(`the drawing process ended with ${text}`);
  });
  failure.catch(() => undefined); // it may end while nobody waits for an answer
  child.stdin?.on("error", () => undefined); // a pipe that breaks is told by the end

  async function write({ stream }: DrawInput): Promise<void> {
    for await (const chunk of stream) {
      if (child.stdin?.write(chunk)) continue;
      await Promise.race([new Promise((resolve) => child.stdin?.once("drain", resolve)), failure]);
    }
  }

  return {
    pid: child.pid,
    ended: reason.then(() => undefined),
    async draw(job, input) {
      const message = new Promise<unknown>((resolve) => child.once("message", resolve));
      const request: DrawRequest = { job, byteSize: input?.byteSize ?? 0 };
      child.send(request, () => undefined); // as with the pipe
      if (input) await write(input);
      const answer = drawAnswer.safeParse(await Promise.race([message, failure]));
      return answer.data ?? { isOk: false, reason: "the drawing process answered in another form" };
    },
    kill: () => void child.kill("SIGKILL"),
  };
}
