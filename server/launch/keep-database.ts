import type { EmbeddedServer } from "../db/embedded/supervisor.ts";
import { createPatience } from "./process-group.ts";

/** The built-in PostgreSQL of several processes. */
export interface KeptDatabase {
  /** Resolves when it is gone. */
  stop(): Promise<void>;
}

interface Server extends Pick<EmbeddedServer, "died" | "stop"> {
  startAgain(): Promise<Server>;
}

export interface DatabaseDeps {
  /** It runs. */
  server: Server;
  /** For the terminal. */
  say(line: string): void;
  /** It can't be kept: says why. */
  fail(why: string): void;
  steadyMs(): number;
  sleep(ms: number): Promise<void>;
}

const toText = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Starts it again where it ends by itself: at the same place, so that the processes find it there. */
export function keepDatabase({ server, say, fail, steadyMs, sleep }: DatabaseDeps): KeptDatabase {
  const noteEnd = createPatience(steadyMs);
  let current = server;
  let isStopping = false;
  let starting: Promise<void> = Promise.resolve();

  /** @returns whether it runs again; what it failed for is a reason as its death is */
  async function startAgain(reason: string): Promise<boolean> {
    for (let why = reason; !isStopping; ) {
      const waitMs = noteEnd();
      if (waitMs === undefined) {
        fail(`${why}\nIt ends again and again: all are stopped.`);
        return false;
      }
      say(`${why}\nIt is started again.`);
      await sleep(waitMs);
      if (isStopping) return false;
      try {
        current = await current.startAgain();
        return true;
      } catch (error) {
        why = toText(error);
      }
    }
    return false;
  }

  async function keep(): Promise<void> {
    for (;;) {
      const { reason } = await current.died;
      const runs = startAgain(reason);
      starting = runs.then(() => undefined);
      if (!(await runs)) return;
    }
  }
  void keep();

  return {
    async stop() {
      isStopping = true;
      await starting;
      await current.stop();
    },
  };
}
