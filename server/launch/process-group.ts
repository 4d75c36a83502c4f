import type { ChildMessage, Launched } from "./launched.ts";

/** One of the processes, as its launcher sees it. */
export interface Child {
  /** Listens to what it says. */
  onMessage(listener: (message: ChildMessage) => void): void;
  /** How it ended, in words. */
  exited: Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

export interface GroupDeps {
  count: number;
  /** `port`: where the others listen; undefined: the settings say. */
  start(options: Pick<Launched, "number" | "isJoining"> & { port: number | undefined }): Child;
  /** For the terminal. */
  say(line: string): void;
  steadyMs(): number;
  sleep(ms: number): Promise<void>;
}

export interface ProcessGroup {
  /** The exit code, once none is left. */
  ended: Promise<number>;
  /** Sends it to all of them, and starts none again. */
  stop(signal: NodeJS.Signals): void;
  /** Says why, and ends all of them with exit code 1. */
  fail(why: string): void;
}

const WAIT_FIRST_MS = 500;
const WAIT_LAST_MS = 30_000;
/** What ends more often than this within a minute would do so for ever. */
const ENDS_MAX = 5;
const ENDS_WINDOW_MS = 60_000;

/** Counts what ended by itself. @returns how long to wait before it is started again; undefined: it ended too often */
export function createPatience(steadyMs: () => number): () => number | undefined {
  const ends: number[] = [];
  return () => {
    const now = steadyMs();
    ends.push(now);
    while (now - (ends[0] ?? now) > ENDS_WINDOW_MS) ends.shift();
    return ends.length > ENDS_MAX
      ? undefined
      : Math.min(WAIT_FIRST_MS * 2 ** (ends.length - 1), WAIT_LAST_MS);
  };
}

/**
 * Keeps so many processes of a site running. The first is started alone, since it may have to prepare the database; the others follow when it
 * answers. One that ends is started again. What can't start at the beginning, or ends again and again, ends all of them.
 */
export function keepProcesses({ count, start, say, steadyMs, sleep }: GroupDeps): ProcessGroup {
  const children = new Set<Child>();
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  let port: number | undefined;
  let isStopping = false;
  let code = 0;

  function stop(signal: NodeJS.Signals): void {
    isStopping = true;
    for (const child of children) child.kill(signal);
    if (children.size === 0) end(code);
  }

  function fail(why: string): void {
    if (isStopping) return;
    code = 1;
    say(why);
    stop("SIGTERM");
  }

  /** `answers`: false where it ended before. */
  function launch(
    number: number,
    isJoining: boolean,
  ): { answers: Promise<boolean>; exited: Promise<string> } {
    const child = start({ number, isJoining, port });
    const { promise: answers, resolve } = Promise.withResolvers<boolean>();
    children.add(child);
    child.onMessage((message) => {
      port = message.port;
      resolve(true);
    });
    const exited = child.exited.then((how) => {
      children.delete(child);
      if (isStopping && children.size === 0) end(code);
      resolve(false);
      return how;
    });
    return { answers, exited };
  }

  async function keep(number: number, first: Promise<string>): Promise<void> {
    const noteEnd = createPatience(steadyMs);
    for (let exited = first; ; ) {
      const how = await exited;
      if (isStopping) return;
      const waitMs = noteEnd();
      if (waitMs === undefined)
        return fail(`Process ${number} of ${count} ends again and again (${how}): all are stopped.`);
      say(`Process ${number} of ${count} ended (${how}) and is started again.`);
      await sleep(waitMs);
      if (isStopping) return;
      exited = launch(number, true).exited;
    }
  }

  async function run(): Promise<void> {
    for (let number = 1; number <= count && !isStopping; number += 1) {
      const { answers, exited } = launch(number, number > 1);
      if (!(await answers)) return fail(`Process ${number} of ${count} could not start (${await exited}).`);
      void keep(number, exited);
    }
    if (!isStopping) say(`${count} processes answer.`);
  }
  void run();

  return { ended, stop, fail };
}
