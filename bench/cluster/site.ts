import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "#server/db/embedded/supervisor.ts";
import { createPool } from "#server/db/pool.ts";
import { openRedisServer, type RedisServer } from "#test/redis-server.ts";
import nodeFlags from "../../bin/lib/node-flags.json" with { type: "json" };
import { toPlainEnvironment } from "../own-site/programs.ts";

/** One process of the product. */
export interface SiteProcess {
  url: string;
  pid: number;
  /** What it printed. */
  readonly output: string;
  /** SIGTERM, or as a machine that loses its power; waits for the end. */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

/** Processes of one site over a PostgreSQL and a Redis of their own, on loopback. */
export interface ClusterSite {
  redis: RedisServer;
  /** Of the site's database. */
  pool: ReturnType<typeof createPool>;
  /** Without `port`: any free one. */
  add(options?: { port?: number; env?: NodeJS.ProcessEnv }): Promise<SiteProcess>;
  close(): Promise<void>;
}

const READY = /Foyer is ready: (http:\S+)/;
const START_TIMEOUT_MS = 120_000;

async function startProcess(env: NodeJS.ProcessEnv): Promise<SiteProcess> {
  const server: ChildProcess = spawn(process.execPath, [...nodeFlags, "server/main.ts"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(server, "exit");
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const found = READY.exec(output)?.[1];
      if (found) resolve(found);
    };
    server.stdout?.on("data", read);
    server.stderr?.on("data", read);
    void ended.then(([code]) => reject(new Error(`a process ended with ${code}:\n${output}`)));
    setTimeout(() => reject(new Error(`a process is not ready:\n${output}`)), START_TIMEOUT_MS).unref();
  });
  return {
    url,
    pid: server.pid ?? 0,
    get output() {
      return output;
    },
    async stop(signal = "SIGTERM") {
      server.kill(signal); // nothing where it ended by itself
      await ended;
    },
  };
}

/** Builds what is stale, and starts what the processes share; `add` starts them. */
export async function openClusterSite(): Promise<ClusterSite> {
  execFileSync(process.execPath, ["bin/build.mjs"], { stdio: "inherit" });
  const folder = await mkdtemp(join(tmpdir(), "foyer-cluster-"));
  // Open to the account that root drops to.
  await chmod(folder, 0o755);
  const database = await startEmbedded({ dataDir: join(folder, "database"), log: { info() {}, warn() {} } });
  const { host, port, user } = database.connection;
  const admin = createPool(database.adminConnection, { name: "bench", max: 1, onError: () => {} });
  await admin.query(`CREATE DATABASE site OWNER ${user}`);
  await admin.end();
  const redis = await openRedisServer();
  const running = new Set<SiteProcess>();
  const address = `postgresql://${user}@localhost:${port}/site?host=${encodeURIComponent(host)}`;
  const pool = createPool({ connectionString: address }, { name: "bench", max: 4, onError: () => {} });
  return {
    redis,
    pool,
    async add({ port: ownPort = 0, env = {} } = {}) {
      const added = await startProcess({
        ...toPlainEnvironment(".env.example"),
        NODE_ENV: "production",
        // As bin/start.mjs and the service start it: without it each thread of the pool keeps memory of its own.
        MALLOC_ARENA_MAX: "1",
        FOYER_USER: "root",
        FOYER_DATA_DIR: join(folder, "data"),
        DATABASE_URL: address,
        REDIS_URL: redis.url,
        BACKUP_DAILY: "false",
        LOG_LEVEL: "warn",
        PORT: String(ownPort),
        ...env,
      });
      running.add(added);
      return added;
    },
    async close() {
      await Promise.all([...running].map((one) => one.stop()));
      await pool.end();
      await redis.close();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
