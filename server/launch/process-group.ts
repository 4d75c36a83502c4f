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
  /** Ends all of them; asked again later than `AGAIN_MS` behind that, at once. */
  stop(signal: NodeJS.Signals): void;
  /** Says why, and ends all of them with exit code 1. */
  fail(why: string): void;
}

/** Ctrl-C comes to a program that npm started several times at once. */
export const AGAIN_MS = 1_000;
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
  const children = new Map<number, Child>();
  const noteEnd = createPatience(steadyMs);
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  let port: number | undefined;
  let stopAt: number | undefined;
  let code = 0;
  const isStopping = () => stopAt !== undefined;

  function stop(signal: NodeJS.Signals): void {
    const isAgain = stopAt !== undefined && steadyMs() - stopAt > AGAIN_MS;
    stopAt ??= steadyMs();
    for (const child of children.values()) child.kill(isAgain ? "SIGKILL" : signal);
    if (children.size === 0) end(code);
  }

  function fail(why: string): void {
    if (isStopping()) return;
    code = 1;
    say(why);
    stop("SIGTERM");
  }

  /** @returns whether it answers; false: it ended before */
  function launch(number: number, isJoining: boolean): Promise<boolean> {
    const child = start({ number, isJoining, port });
    const { promise: answers, resolve } = Promise.withResolvers<boolean>();
    children.set(number, child);
    child.onMessage((message) => {
      port = message.port;
      resolve(true);
    });
    void child.exited.then(() => {
      children.delete(number);
      if (isStopping() && children.size === 0) end(code);
      resolve(false);
    });
    return answers;
  }

  async function keep(number: number): Promise<void> {
    for (;;) {
      const how = await (children.get(number)?.exited ?? "it did not start");
      if (isStopping()) return;
      const waitMs = noteEnd();
      if (waitMs === undefined)
        return fail(`Process ${number} of ${count} ends again and again (${how}): all are stopped.`);
      say(`Process ${number} of ${count} ended (${how}) and is started again.`);
      await sleep(waitMs);
      if (isStopping()) return;
      await launch(number, true);
    }
  }

  async function run(): Promise<void> {
    for (let number = 1; number <= count && !isStopping(); number += 1) {
      if (!(await launch(number, number > 1))) return fail(`Process ${number} of ${count} could not start.`);
      void keep(number);
    }
    if (!isStopping()) say(`${count} processes answer.`);
  }
  void run();

  return { ended, stop, fail };
}
