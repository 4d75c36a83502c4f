import { fork } from "node:child_process";

/** What a process of a bench can be asked, by name. */
type Calls = Readonly<Record<string, (params: never) => unknown>>;

type Answer = { id: number; result: unknown } | { id: number; fault: string };

/** A process that was forked; how to ask it is typed by the calls that it serves. */
export interface Worker<C extends Calls> {
  pid: number;
  /** @throws Error when the call fails there, or the process has ended */
  ask<N extends keyof C & string>(name: N, params: Parameters<C[N]>[0]): Promise<Awaited<ReturnType<C[N]>>>;
  isAlive(): boolean;
  stop(): void;
}

export function startWorker<C extends Calls>(file: string, nodeFlags: readonly string[]): Worker<C> {
  const child = fork(file, { execArgv: [...nodeFlags] });
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let end: string | undefined;

  child.on("message", (message) => {
    const answer = message as Answer; // of `serveCalls` below
    const call = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("fault" in answer) call?.reject(new Error(answer.fault));
    else call?.resolve(answer.result);
  });
  child.once("exit", (code, signal) => {
    end = `the process ended with ${code ?? signal}`;
    for (const call of waiting.values()) call.reject(new Error(end));
    waiting.clear();
  });

  function ask(name: string, params: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (end !== undefined) return reject(new Error(end));
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      child.send({ id, name, params });
    });
  }

  return {
    pid: child.pid ?? 0,
    ask: ask as Worker<C>["ask"], // the calls' types are those of the file that serves them
    isAlive: () => end === undefined,
    stop: () => void child.kill(),
  };
}

/** The other end: serves the calls of the process that forked this one, and ends with it. */
export function serveCalls(calls: Calls): void {
  process.once("disconnect", () => process.exit());
  process.on("message", async (message) => {
    const { id, name, params } = message as { id: number; name: string; params: never }; // of `startWorker`
    try {
      const call = calls[name];
      if (!call) throw new Error(`no call is named ${name}`);
      process.send?.({ id, result: await call(params) });
    } catch (error) {
      process.send?.({ id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}
