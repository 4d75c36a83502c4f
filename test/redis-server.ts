import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const PROGRAM = "/usr/bin/redis-server";

/** Tests that need it are skipped elsewhere. */
export const hasRedis = existsSync(PROGRAM);

/** A Redis of the system's package on loopback, which keeps nothing. */
export interface RedisServer {
  url: string;
  readonly pid: number;
  /** It stands still, with its connections open, until `goOn`. */
  halt(): void;
  goOn(): void;
  /** As a machine that loses its power. */
  kill(): Promise<void>;
  /** Starts an empty one at the same address, after `kill`. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** What the README gives a user of Redis, behind the name; the password is "secret". */
export async function readUserRights(): Promise<string[]> {
  const [, rights = ""] = /ACL SETUSER foyer (on .+)/.exec(await readFile("README.md", "utf8")) ?? [];
  return rights.split(" ");
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

export async function openRedisServer(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "foyer-redis-"));
  const port = await findFreePort();
  let running: ChildProcess;

  async function start(): Promise<void> {
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
    const server = spawn(PROGRAM, args, { stdio: ["ignore", "pipe", "ignore"] });
    running = server;
    const lines: string[] = [];
    for await (const line of createInterface({ input: server.stdout })) {
      lines.push(line);
      if (line.includes("Ready to accept connections")) break;
    }
    if (!lines.at(-1)?.includes("Ready")) throw new Error(`Redis did not start: ${lines.join("\n")}`);
    server.stdout.resume();
  }

  async function kill(): Promise<void> {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    await ended;
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return running.pid ?? 0;
    },
    halt: () => void running.kill("SIGSTOP"),
    goOn: () => void running.kill("SIGCONT"),
    kill,
    start,
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
