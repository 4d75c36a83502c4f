import { spawn } from "node:child_process";
import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { execPath } from "node:process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { AppError } from "#server/base/errors.ts";
import { CODE_IS_CLOSED } from "./child/leave-root.ts";
import { type DrawAnswer, type DrawJob, type DrawRequest, drawAnswer } from "./job.ts";

/** A picture that could not be drawn, with the reason for the log. Asking again soon would end the same way. */
export class DrawingError extends Error {
  override name = "DrawingError";
}

const ROOM = import.meta.dirname;
const ROOT = dirname(dirname(ROOM));

/** Heap of JavaScript. A page of a PDF is read in much less. */
const HEAP_MB = 256;
/** All that the process may write to: 0.6 GB that Node reserves, and twice what the largest picture needs. Above 2 GB Node reserves more. */
const DATA_KB = 1.5 * 1024 * 1024;
/** An endless job is ended by its time limit; this ends one whose server was killed meanwhile. */
const CPU_S = 180;

/**
 * A shell sets what Node can't: limits that the kernel keeps (one that is stricter already stays; no file grows), to be the first
 * to go when the machine is short of memory, and, where the system has `setpriv`, that no program gives the child new rights.
 * Then it becomes the child, which leaves root's account itself: child/leave-root.ts.
 */
const LIMITED = `
ulimit -d "$1" 2>/dev/null
ulimit -t "$2" 2>/dev/null
ulimit -c 0 2>/dev/null
ulimit -f 0 2>/dev/null
echo 1000 2>/dev/null >/proc/self/oom_score_adj
shift 2
if setpriv --no-new-privs true 2>/dev/null; then exec setpriv --no-new-privs "$@"; fi
exec "$@"
`;

/** Where the packages really are. */
function findPackages(): string {
  const path = realpathSync(fileURLToPath(import.meta.resolve("pdfjs-dist/package.json")));
  return dirname(dirname(path));
}

/** Whether any account may come to this folder: not below a /root that is closed. */
function isOpenToAll(folder: string): boolean {
  const parent = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpenToAll(parent));
}

/** The program and arguments that start `child/main.ts`: it reads only its code, starts nothing and writes nothing. */
function buildChildCommand(): { file: string; args: string[]; cwd: string } {
  const packages = findPackages();
  // Node asks for a package both by the way that leads to it and, where that is a link, by where it ends.
  const readable = [ROOM, join(ROOT, "node_modules"), packages, join(ROOT, "package.json")];
  const node = [
    execPath,
    `--max-old-space-size=${HEAP_MB}`,
    "--permission",
    "--allow-addons",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    "--disable-warning=SecurityWarning",
    fileURLToPath(import.meta.resolve("./child/main.ts")),
    ...([ROOM, packages].every(isOpenToAll) ? [] : [CODE_IS_CLOSED]),
  ];
  return {
    file: "/bin/sh",
    args: ["-c", LIMITED, "foyer-pictures", String(DATA_KB), String(CPU_S), ...node],
    // Fonts and tables of pdf.js are read from there when a file needs them.
    cwd: join(packages, "pdfjs-dist"),
  };
}

const LAST_WORDS_CHARS = 300;

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
  pid: number | undefined;
  /** Resolves when it is gone; never rejects. */
  ended: Promise<void>;
  /** One at a time. @throws ChildEndedError, or what the input's stream failed with. */
  draw(job: DrawJob, input: DrawInput | undefined): Promise<DrawAnswer>;
  kill(): void;
}

function startDrawingChild(): DrawingChild {
  const { file, args, cwd } = buildChildCommand();
  const child = spawn(file, args, {
    cwd,
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
  child.stdin?.on("error", () => undefined); // a pipe that breaks shows when the process ends

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
