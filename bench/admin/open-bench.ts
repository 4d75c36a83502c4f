import { fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "#server/db/embedded/supervisor.ts";
import { type Connection, createPool } from "#server/db/pool.ts";
import { waitForMessage } from "../load/wait-for-message.ts";
import type { Bench } from "./bench.ts";
import { seed } from "./seed.ts";
import type { Ready, Start } from "./site.ts";

interface Options {
  rows: number;
  users: number;
  seconds: number;
  /** Undefined: an embedded server of the bench's own. */
  databaseUrl: string | undefined;
  /** Of the server process. */
  nodeFlags: readonly string[];
  /** Of a build, for its pages. */
  distDir?: string;
}

const onError = (error: Error) => console.error(error);

interface Server {
  connection: Connection;
  stop(): Promise<void>;
}

/** A database of the bench's own on a server that runs already; the address's own database is left alone. */
async function openDatabase(databaseUrl: string): Promise<Server> {
  const name = `foyer_bench_${process.pid}`;
  const pool = createPool({ connectionString: databaseUrl }, { name: "bench", max: 1, onError });
  await pool.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  const address = new URL(databaseUrl);
  address.pathname = `/${name}`;
  return {
    connection: { connectionString: address.href },
    async stop() {
      await pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await pool.end();
    },
  };
}

/** The site's process, with compiled modules kept from start to start as `npm start` does. */
function forkSite(nodeFlags: readonly string[], dataDir: string) {
  return fork(join(import.meta.dirname, "site.ts"), {
    execArgv: [...nodeFlags],
    env: { ...process.env, NODE_COMPILE_CACHE: join(dataDir, "compiled") },
  });
}

/** Loads every module once: what turns TypeScript into JavaScript stays in the memory of the process that does it. */
async function compileSite(nodeFlags: readonly string[], dataDir: string): Promise<void> {
  const site = forkSite(nodeFlags, dataDir);
  site.disconnect();
  await once(site, "exit");
}

/** A seeded database and a site over it. */
export async function openBench(options: Options): Promise<{ bench: Bench; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "foyer-bench-"));
  await chmod(dataDir, 0o711);
  const server: Server = options.databaseUrl
    ? await openDatabase(options.databaseUrl)
    : await startEmbedded({ dataDir, log: { info: () => {}, warn: console.warn } });
  const pool = createPool(server.connection, { name: "bench", max: 4, onError });
  await compileSite(options.nodeFlags, dataDir);
  const site = forkSite(options.nodeFlags, dataDir);
  const close = async () => {
    site.kill();
    await pool.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const begin = performance.now();
    await seed(pool, options);
    console.log(`Seeded in ${((performance.now() - begin) / 1000).toFixed(0)} s.`);
    site.send({ connection: server.connection, dataDir, distDir: options.distDir } satisfies Start);
    const ready = await waitForMessage<Ready>(site);
    const objects = `/api/admin/models/${ready.contentTypeId}/objects/`;
    const { rows, seconds } = options;
    const { connection } = server;
    return {
      bench: { ...ready, pid: site.pid ?? 0, pool, connection, rows, seconds, objects, scale: 1 },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
