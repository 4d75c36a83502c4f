import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pg from "pg";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import type { ExportTotals } from "./store.ts";
import { type FileJob, streamFile } from "./stream-file.ts";

const THREE = "COPY (SELECT i FROM generate_series(1, 3) i) TO STDOUT";
/** Among the columns: in FROM, PostgreSQL would make all numbers before it gives the first row. */
const ENDLESS =
  "COPY (SELECT repeat('x', 1000) FROM (SELECT generate_series(1, 10000000)) i OFFSET 0) TO STDOUT";

let database: TestDatabase;
let exportPool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  exportPool = new pg.Pool({ ...database.connection, max: 1 });
  // As the product's pool does: whoever holds a connection learns of its end by itself.
  exportPool.on("error", () => undefined);
  exportPool.on("connect", (client) => client.on("error", () => undefined));
});
afterAll(async () => {
  await exportPool.end();
  await database.close();
});

/** Opens a file and keeps how it ended. */
async function open(copySql: string, more: Partial<FileJob> = {}) {
  const ends: (ExportTotals | "failed" | "abandoned")[] = [];
  let checkStall = () => {};
  const repeatStallCheck = (check: () => void) => {
    checkStall = check;
    return () => {};
  };
  const deps = { exportPool, pool: database.pool, log: { warn: () => {} }, repeatStallCheck };
  const stream = await streamFile(deps, {
    copySql,
    shape: (rows) => rows,
    onStart: async () => undefined,
    onWhole: async (totals) => void ends.push(totals),
    onBroken: async (status) => void ends.push(status),
    ...more,
  });
  return { stream, ends, checkStall: () => checkStall() };
}

async function waitForIdle(): Promise<void> {
  while (exportPool.idleCount < exportPool.totalCount) await sleep(10);
}

test("files one after the other leave nothing on their connection", async () => {
  const countListeners = async () => {
    const client = await exportPool.connect();
    const count = client.listenerCount("error");
    client.release();
    return count;
  };
  const before = await countListeners();
  for (let round = 0; round < 3; round++) {
    const { stream, ends } = await open(THREE);
    expect(await text(stream)).toBe("1\n2\n3\n");
    expect(ends).toEqual([{ rowCount: 3, byteCount: 6, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  }
  expect(await countListeners()).toBe(before);
  expect(exportPool.totalCount).toBe(1);
});

test("while every connection is taken the next file is asked to come back, and later ones work", async () => {
  const first = await open(ENDLESS);
  // Only here: to connect may take long on a busy machine. The pool reads it at each request.
  exportPool.options.connectionTimeoutMillis = 50;
  await expect(open(THREE)).rejects.toMatchObject({ code: "unavailable", status: 503, retryAfterS: 30 });
  exportPool.options.connectionTimeoutMillis = undefined;
  first.stream.destroy();
  expect(await text((await open(THREE)).stream)).toBe("1\n2\n3\n");
  expect(first.ends).toEqual(["abandoned"]);
});

test("what fails before the statement gives the connection back and reads nothing", async () => {
  const onStart = () => Promise.reject(new Error("no entry"));
  await expect(open(THREE, { onStart })).rejects.toThrow("no entry");
  expect(exportPool.idleCount).toBe(1);
});

test("a file whose end can't be written down doesn't end well", async () => {
  const onWhole = () => Promise.reject(new Error("not written"));
  const { stream, ends } = await open(THREE, { onWhole });
  await expect(text(stream)).rejects.toThrow("not written");
  await waitForIdle();
  expect(ends).toEqual(["failed"]);
});

test("a lost connection breaks the file", async () => {
  const { stream, ends } = await open(ENDLESS);
  await database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY (%' AND state = 'active' AND datname = current_database()",
  );
  await expect(text(stream)).rejects.toThrow();
  await waitForIdle();
  while (ends.length === 0) await sleep(10);
  expect(ends).toEqual(["failed"]);
});

test("a reader who takes nothing for a while is let go", async () => {
  const { stream, ends, checkStall } = await open(ENDLESS);
  checkStall();
  expect(stream.destroyed).toBe(false);
  checkStall();
  while (ends.length === 0) await sleep(10);
  expect(ends).toEqual(["abandoned"]);
  expect(stream.destroyed).toBe(true);
  expect(await text((await open(THREE)).stream)).toBe("1\n2\n3\n");
});

test("a reader who waits for PostgreSQL has not stalled", async () => {
  const slow = "COPY (SELECT i, pg_sleep(0.2) FROM generate_series(1, 3) i) TO STDOUT";
  const { stream, ends, checkStall } = await open(slow);
  checkStall();
  let read = "";
  for await (const chunk of stream) {
    read += chunk;
    checkStall();
  }
  expect(read).toBe("1\t\n2\t\n3\t\n");
  expect(ends).toMatchObject([{ rowCount: 3 }]);
});
