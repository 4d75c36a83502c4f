import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import nodeFlags from "../../bin/lib/node-flags.json" with { type: "json" };
import { type Memory, readMemory } from "../load/process-usage.ts";
import type { ServerCalls, ServerOptions, Usage } from "./server.ts";
import { startWorker, type Worker } from "./worker.ts";

/** The running server, and what it costs. */
export interface BenchServer {
  worker: Worker<ServerCalls>;
  port: number;
  tokens: string[];
  readUsage(): Promise<Usage>;
  /** After two collections. */
  readMemory(): Promise<Memory & { heapUsed: number }>;
  stop(): void;
}

/** Starts the socket server in a process of its own, with as many people as may connect; `others`: beside which it runs. */
export async function startBenchServer(
  people: number,
  others: Partial<ServerOptions> = {},
): Promise<BenchServer> {
  const worker = startWorker<ServerCalls>(join(import.meta.dirname, "server.ts"), [
    ...nodeFlags,
    "--expose-gc",
  ]);
  const { port, tokens } = await worker.ask("start", {
    people,
    secret: randomBytes(32).toString("base64"),
    ...others,
  });
  return {
    worker,
    port,
    tokens,
    readUsage: () => worker.ask("usage", undefined),
    async readMemory() {
      const { heapUsed } = await worker.ask("collect", undefined);
      return { ...readMemory(worker.pid), heapUsed };
    },
    stop: () => worker.stop(),
  };
}

/** System calls of a process that write, so far: `syscw` of proc_pid_io(5). */
export function readWrites(pid: number): number {
  return Number(/^syscw: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1]);
}
