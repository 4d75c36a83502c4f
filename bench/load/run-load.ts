import { fork } from "node:child_process";
import { join } from "node:path";
import type { Result } from "autocannon";
import { waitForMessage } from "./wait-for-message.ts";

/** One request of a load. `{n}` in path, headers and body becomes a text of its own in each. */
export interface LoadRequest {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** As many requests or as long, from so many connections, each of which waits for its answer. */
export interface Load {
  url: string;
  connections: number;
  seconds?: number;
  amount?: number;
  /** Of all connections together; as many as it can, where not said. */
  perSecond?: number;
  /** An answer that takes longer counts as failed; 10 s where not said. */
  timeoutS?: number;
  /** Of every request. */
  headers?: Readonly<Record<string, string>>;
  /** Taken in turn. */
  requests: readonly LoadRequest[];
}

/** Sends a load from a process of its own, so that neither server nor bench pays for it. */
export async function runLoad(load: Load): Promise<Result> {
  const child = fork(join(import.meta.dirname, "load.ts"), { execArgv: [] });
  child.send(load);
  try {
    return await waitForMessage<Result>(child);
  } finally {
    child.kill();
  }
}

/** Answers other than 2xx, and none at all. */
export function countFailed(result: Result): number {
  return result.non2xx + result.errors;
}
