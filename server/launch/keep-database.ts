import type { EmbeddedServer } from "../db/embedded/supervisor.ts";
import { createPatience } from "./process-group.ts";

/** The built-in PostgreSQL of several processes. */
export interface KeptDatabase {
  /** Resolves when it is gone. */
  stop(): Promise<void>;
}

export interface DatabaseDeps {
  start(): Promise<Pick<EmbeddedServer, "died" | "stop">>;
  /** For the terminal. */
  say(line: string): void;
  /** It can't be kept: says why. */
  fail(why: string): void;
  steadyMs(): number;
  sleep(ms: number): Promise<void>;
}

/**
 * Starts it, and starts it again where it ends by itself: at the same place, so that the processes find it there.
 * @throws what the first start does
 */
export async function keepDatabase({
  start,
  say,
  fail,
  steadyMs,
  sleep,
}: DatabaseDeps): Promise<KeptDatabase> {
  const noteEnd = createPatience(steadyMs);
  let server: Awaited<ReturnType<typeof start>> | undefined = await start();
  let isStopping = false;

  /** @returns whether it runs again */
  async function startAgain(died: NonNullable<typeof server>, reason: string): Promise<boolean> {
    const waitMs = noteEnd();
    if (waitMs === undefined) {
      fail(`${reason}\nIt ends again and again: all are stopped.`);
      return false;
    }
    say(`${reason}\nIt is started again.`);
    server = undefined;
    await died.stop(); // what is left of it
    await sleep(waitMs);
    if (isStopping) return false;
    server = await start();
    return true;
  }

  async function keep(): Promise<void> {
    try {
      while (server && !isStopping) {
        const running = server;
        const { reason } = await running.died;
        if (isStopping || !(await startAgain(running, reason))) return;
      }
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  }
  const kept = keep();

  return {
    async stop() {
      isStopping = true;
      if (!server) await kept; // it is being started again
      await server?.stop();
    },
  };
}
