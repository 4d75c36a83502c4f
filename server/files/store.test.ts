import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "@jest/globals";
import type { Queryable } from "#server/db/pool.ts";
import { createTestApp } from "#test/app.ts";
import { createTestDatabase, explain } from "#test/database.ts";
import { createLocalStorage, selectDueFiles } from "./store.ts";

const KEY = `${"a".repeat(32)}.txt`;

const folder = mkdtempSync(join(tmpdir(), "foyer-storage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("what is open stays readable when the file is deleted, and fails nowhere else", async () => {
  const storage = createLocalStorage(folder);
  await storage.put(KEY, Buffer.from("content"));
  const file = await storage.open(KEY);
  rmSync(join(folder, "aa"), { recursive: true });
  expect(file?.byteSize).toBe(7);
  expect(file && (await text(file.stream))).toBe("content");
  expect(await storage.open(KEY)).toBeUndefined();
});

test("files that are due are found by an index, whether any are or not", async () => {
  const database = await createTestDatabase();
  try {
    await database.pool.query(
      `INSERT INTO stored_file (key, name, media_type, byte_size, checked_at)
       SELECT md5(n::text) || '.png', 'n', 'image/png', 1, timestamptz '2026-11-20' + n * interval '1 second'
       FROM generate_series(1, 20000) n`,
    );
    await database.pool.query("ANALYZE stored_file");
    const select = (before: string, db: Queryable = database.pool) =>
      selectDueFiles(db, new Date(before), 10);
    for (const before of ["2026-11-19", "2026-11-30"]) {
      const plan = await explain(database.pool, (db) => select(before, db));
      expect(plan).not.toMatch(/Seq Scan/);
      expect(plan).toMatch(/Index Scan using stored_file_checked/);
      // No more rows are read than are asked for.
      expect(plan).not.toMatch(/Rows Removed by Filter/);
    }
    const { rows } = await database.pool.query<{ id: number }>(
      "UPDATE stored_file SET checked_at = NULL WHERE id = 500 RETURNING id",
    );
    expect(await select("2026-11-19")).toEqual([expect.objectContaining(rows[0] ?? {})]);
    expect((await select("2026-11-30")).map(({ id }) => id)).toEqual([500, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  } finally {
    await database.close();
  }
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("no other account of the machine reads a file", async () => {
  const made = join(folder, "made");
  await createLocalStorage(made).put(KEY, Buffer.from("content"));
  expect([made, join(made, "aa"), join(made, "aa", KEY)].map(modeOf)).toEqual(["700", "700", "600"]);
});

test("a start closes the folders that an older version left open", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "foyer-open-"));
  const [files, people] = [join(dataDir, "files"), join(dataDir, "people")];
  for (const path of [files, people]) {
    mkdirSync(path);
    chmodSync(path, 0o755);
  }
  const site = await createTestApp({ dataDir });
  const modes = [files, people].map(modeOf);
  await site.close();
  expect(modes).toEqual(["700", "700"]);
});
