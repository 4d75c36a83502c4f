import { writeSync } from "node:fs";
import pg from "pg";
import { startEmbedded } from "#server/db/embedded/supervisor.ts";
import { checkData, createTables } from "./check-data.ts";
import type { WriterMessage } from "./messages.ts";

/**
 * The process that is killed: starts the database, checks what survived, then commits row after row and prints
 * each. With `--check` it stops in order after the check. It ends when its stdin does, so that it cannot outlive
 * whoever started it.
 */
const UPDATE_EVERY = 10;
const CHECKPOINT_EVERY = 150;

/** Synchronous: what is printed has left this process before the next commit begins. */
function say(message: WriterMessage): void {
  writeSync(1, `${JSON.stringify(message)}\n`);
}

async function main(dataDir: string, isCheckOnly: boolean): Promise<void> {
  const startedAt = performance.now();
  let didRecover = false;
  const server = await startEmbedded({
    dataDir,
    log: { info: () => undefined, warn: (message) => console.error(message) },
    onProgress: (step) => {
      didRecover ||= step.startsWith("Recovering");
    },
  });
  const startMs = performance.now() - startedAt;
  const client = new pg.Client(server.adminConnection);
  await client.connect();
  await createTables(client);
  const state = await checkData(client);
  say({ kind: "checked", startMs, didRecover, ...state });
  if (!isCheckOnly) await writeForever(client, state.maxId, state.updates);
  await client.end();
  await server.stop();
}

async function writeForever(client: pg.Client, lastId: number, lastCount: number): Promise<never> {
  let count = lastCount;
  for (let id = lastId + 1; ; id += 1) {
    const text = "insert into entries (id, body, hash) values ($1, $2, md5($2))";
    await client.query({ name: "insert", text, values: [id, `entry ${id} ${"çöp ışık ".repeat(id % 40)}`] });
    say({ kind: "row", id });
    if (id % UPDATE_EVERY === 0) {
      count += 1;
      await client.query(`begin; update entries set touched = touched + 1 where id > ${id - 30};
        update ledger set updates = updates + 1; commit`);
      say({ kind: "update", count });
    }
    if (id % CHECKPOINT_EVERY === 0) await client.query("checkpoint");
  }
}

process.stdin.on("close", () => process.exit(1)).resume();
const [dataDir, mode] = process.argv.slice(2);
try {
  if (dataDir === undefined) throw new Error("usage: writer.ts <data folder> [--check]");
  await main(dataDir, mode === "--check");
  process.exit(0);
} catch (error) {
  say({ kind: "failed", message: String(error) });
  process.exit(1);
}
