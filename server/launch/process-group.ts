import type { ChildMessage, Launched } from "./launched.ts";

/** One of the processes, as its launcher sees it. */
export interface Child {
  /** Listens to what it says. */
  onMessage(listener: (message: ChildMessage) => void): void;
  /** How it ended, in words. */
  exited: Promise<string>;
  /** Says that it is the last one. */
  tellAlone(): void;
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
  /** Ends all of them in order; asked again later than `AGAIN_MS` behind that, at once. */
  stop(signal: NodeJS.Signals): void;
}

/** Ctrl-C comes to a program that npm started several times at once. */
export const AGAIN_MS = 1_000;
const WAIT_FIRST_MS = 500;
const WAIT_LAST_MS = 30_000;
/** A process that ends more often than this within a minute would do so for ever. */
const DEATHS_MAX = 5;
const DEATHS_WINDOW_MS = 60_000;

/**
 * Keeps so many processes of a site running. The first is started alone, since it may have to make the database; the others follow when it
 * answers. One that ends is started again. Where the first owns the database of all, its end is the end of the others: they are started anew
 * behind it. What can't start at the beginning, or ends again and again, ends all of them.
 */
export function keepProcesses({ count, start, say, steadyMs, sleep }: GroupDeps): ProcessGroup {
  const children = new Map<number, Child>();
  const deaths: number[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<number>();
  let port: number | undefined;
  let ownsDatabase = false;
  /** From the first's start to its end, where it owns the database; else from the beginning to the end. */
  let life = { isOver: false };
  let stopAt: number | undefined;
  let code = 0;

  /** The first waits for it before it ends the database. */
  function tellIfAlone(): void {
    if (life.isOver && children.size === 1) children.get(1)?.tellAlone();
  }

  function stopOthers(): void {
    life.isOver = true;
    // Asked already: once more would end them at once.
    if (stopAt === undefined) for (const [number, child] of children) if (number !== 1) child.kill("SIGTERM");
    tellIfAlone();
  }

  function stop(signal: NodeJS.Signals): void {
    const isAgain = stopAt !== undefined && steadyMs() - stopAt > AGAIN_MS;
    stopAt ??= steadyMs();
    life.isOver = true;
    for (const child of children.values()) child.kill(isAgain ? "SIGKILL" : signal);
    tellIfAlone();
    if (children.size === 0) end(code);
  }

  function fail(why: string): void {
    if (stopAt !== undefined) return;
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
      if (message.kind === "leaving") return stopOthers();
      port = message.port;
      ownsDatabase ||= message.ownsDatabase;
      resolve(true);
    });
    void child.exited.then(() => {
      children.delete(number);
      if (number === 1 && ownsDatabase) stopOthers();
      else tellIfAlone();
      if (stopAt !== undefined && children.size === 0) end(code);
      resolve(false);
    });
    return answers;
  }

  /** Waits before one is started again. @returns false: it ended too often, or all are to end */
  async function waitAfter(number: number, how: string): Promise<boolean> {
    if (stopAt !== undefined) return false;
    const now = steadyMs();
    deaths.push(now);
    while (now - (deaths[0] ?? now) > DEATHS_WINDOW_MS) deaths.shift();
    if (deaths.length > DEATHS_MAX) {
      fail(`Process ${number} of ${count} ends again and again (${how}): all are stopped.`);
      return false;
    }
    say(`Process ${number} of ${count} ended (${how}) and is started again.`);
    await sleep(Math.min(WAIT_FIRST_MS * 2 ** (deaths.length - 1), WAIT_LAST_MS));
    return stopAt === undefined;
  }

  async function keep(number: number, mine: { isOver: boolean }): Promise<void> {
    for (;;) {
      const how = await (children.get(number)?.exited ?? "it did not start");
      if (mine.isOver || !(await waitAfter(number, how)) || mine.isOver) return;
      await launch(number, true);
    }
  }

  /** @returns how it ended */
  async function live(isFirstTime: boolean): Promise<string> {
    const mine = { isOver: false };
    life = mine;
    const answers = launch(1, false);
    const firstExited = children.get(1)?.exited ?? Promise.resolve("");
    if (!(await answers)) {
      if (isFirstTime) fail(`Process 1 of ${count} could not start.`);
      return firstExited;
    }
    const others = Array.from({ length: count - 1 }, (_, index) => index + 2);
    for (const number of others) {
      if (mine.isOver) break;
      const isUp = await launch(number, true);
      if (!isUp && isFirstTime && !mine.isOver) fail(`Process ${number} of ${count} could not start.`);
    }
    if (isFirstTime && !mine.isOver) say(`${count} processes answer.`);
    const kept = (ownsDatabase ? others : [1, ...others]).map((number) => keep(number, mine));
    const how = await firstExited;
    await Promise.all(kept);
    await Promise.all([...children.values()].map((child) => child.exited));
    return how;
  }

  async function run(): Promise<void> {
    let how = await live(true);
    while (await waitAfter(1, how)) how = await live(false);
  }
  void run();

  return { ended, stop };
}
