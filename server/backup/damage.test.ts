import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { withRepairRights } from "#server/db/embedded/app-role.ts";
import { startEmbedded } from "#server/db/embedded/supervisor.ts";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { createLocalLeases } from "#server/db/leases/lease.ts";
import { createSharedLeases } from "#server/db/leases/shared-leases.ts";
import { applyMigrations } from "#server/db/migrate.ts";
import { createTestDatabase } from "#test/database.ts";
import { createDamageWatch } from "./damage.ts";
import { NOW, openPool, toRestoreOptions } from "./fixture.ts";
import { copyCluster, createRowFile, repairTables } from "./repair.ts";
import { restoreBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

type Embedded = Awaited<ReturnType<typeof startEmbedded>>;

let folder: Awaited<ReturnType<typeof makeTestFolder>>;
let server: Embedded;
const start = () =>
  startEmbedded({
    dataDir: folder.folder,
    log: { info: () => undefined, warn: () => undefined },
    onProgress: () => undefined,
  });

/** 600 certificates, several pages of them, the second of which is then garbled while the server is stopped. */
beforeEach(async () => {
  folder = await makeTestFolder();
  server = await start();
  const pool = openPool(server.connection);
  await applyMigrations(pool);
  await pool.query(
    `INSERT INTO cv_certificate (label) SELECT jsonb_build_object('en', 'Certificate ' || n) FROM generate_series(1, 600) n`,
  );
  const { rows } = await pool.query<{ path: string }>(
    "SELECT pg_relation_filepath('cv_certificate') AS path",
  );
  await pool.end();
  // A stop writes every page.
  await server.stop();
  const file = await open(join(folder.folder, "postgres", rows[0]?.path ?? ""), "r+");
  await file.write(Buffer.alloc(4000, 0x5a), 0, 4000, 8192 + 100);
  await file.close();
  server = await start();
});
afterEach(async () => {
  await server.stop();
  await folder.remove();
});

const withRights = <Answer>(work: () => Promise<Answer>) => withRepairRights(server.adminConnection, work);
const toRepair = () => ({ onProgress: () => undefined, saveRows: createRowFile(folder.folder, NOW) });
const backUp = (pool: ReturnType<typeof openPool>, more: { skipsDamaged?: boolean } = {}) =>
  writeBackup({
    pool,
    dataDir: folder.folder,
    file: join(folder.folder, "out.zip"),
    appVersion: "0.1.0",
    now: NOW,
    onProgress: () => undefined,
    ...more,
  });

test("a damaged page is named, a backup says which table it is and goes on without it where that is wished, and that one is good", async () => {
  const pool = openPool(server.connection);
  const logged: unknown[] = [];
  const watch = createDamageWatch({
    pool,
    cancels: pool,
    leases: createLocalLeases(),
    log: { error: (details: unknown) => void logged.push(details) } as never,
  });
  expect(watch.check()).toBeUndefined();
  await watch.look();
  expect(watch.check()).toEqual({
    status: "critical",
    reason: "tables_damaged",
    vars: { tables: "cv_certificate" },
  });
  expect(logged).toEqual([
    { table: "cv_certificate", reason: expect.stringContaining("invalid page in block 1") },
  ]);

  await expect(backUp(pool)).rejects.toMatchObject({
    name: "BackupError",
    message: expect.stringMatching(
      /^The table cv_certificate is damaged \(invalid page .*foyer -- repair.*--skip-damaged/,
    ),
  });
  expect(existsSync(join(folder.folder, "out.zip"))).toBe(false);

  const report = await backUp(pool, { skipsDamaged: true });
  expect(report.warnings).toEqual(["cv_certificate: 1 of its pages (1) can't be read."]);
  await pool.end();
  const target = await createTestDatabase();
  const other = await makeTestFolder();
  await restoreBackup(toRestoreOptions(join(folder.folder, "out.zip"), other.folder, target.connection));
  const { rows } = await target.pool.query<{ count: string }>("SELECT count(*) FROM cv_certificate");
  expect(Number(rows[0]?.count)).toBeGreaterThan(400);
  expect(Number(rows[0]?.count)).toBeLessThan(600);
  expect((await target.pool.query("SELECT FROM access_level")).rowCount).toBeGreaterThan(0);
  await target.close();
  await other.remove();
});

test("repair saves the rest and says what is lost; the table takes rows again, and what pointed at lost ones is set free", async () => {
  const pool = openPool(server.connection);
  await withRights(() =>
    pool.query(
      `CREATE TABLE child (id integer PRIMARY KEY, certificate_id integer);
     INSERT INTO child SELECT n, n FROM generate_series(1, 600) n;
     SET session_replication_role = replica;
     ALTER TABLE child ADD CONSTRAINT child_fk FOREIGN KEY (certificate_id) REFERENCES cv_certificate ON DELETE SET NULL NOT VALID;
     SET session_replication_role = DEFAULT`,
    ),
  );
  const lines = await withRights(() => repairTables(pool, toRepair()));
  const { rows } = await pool.query<{ count: number }>(
    "SELECT count(*)::integer AS count FROM cv_certificate",
  );
  const left = rows[0]?.count ?? 0;
  expect(lines).toEqual([
    "cv_certificate: 1 of its pages (1) can't be read.",
    `child.certificate_id: ${600 - left} rows that pointed at lost ones were set free.`,
    `cv_certificate: ${left} rows are left.`,
  ]);
  expect(await withRights(() => repairTables(pool, toRepair()))).toEqual([]);
  await pool.query('INSERT INTO cv_certificate (label) VALUES (\'{"en": "New"}\')');
  expect((await backUp(pool)).warnings).toEqual([]);
  await pool.end();
});

test("rows that have to point at a lost one go to a file, and what points at them is mended too", async () => {
  const pool = openPool(server.connection);
  await withRights(() =>
    pool.query(
      `CREATE TABLE child (id integer PRIMARY KEY, certificate_id integer NOT NULL, note text);
     INSERT INTO child SELECT n, n, 'note ' || n FROM generate_series(1, 600) n;
     CREATE TABLE grandchild (id integer PRIMARY KEY, child_id integer REFERENCES child ON DELETE RESTRICT);
     INSERT INTO grandchild SELECT n, n FROM generate_series(1, 600) n;
     SET session_replication_role = replica;
     ALTER TABLE child ADD CONSTRAINT child_fk FOREIGN KEY (certificate_id) REFERENCES cv_certificate ON DELETE SET NULL NOT VALID;
     SET session_replication_role = DEFAULT`,
    ),
  );
  const lines = await withRights(() => repairTables(pool, toRepair()));
  const count = async (table: string) =>
    (await pool.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${table}`)).rows[0]?.count ??
    0;
  const left = await count("cv_certificate");
  const file = join(folder.folder, "backups", "taken-by-repair-20261120T120000Z.jsonl");
  expect(lines).toEqual([
    "cv_certificate: 1 of its pages (1) can't be read.",
    `child.certificate_id: ${600 - left} rows that pointed at lost ones, and have to point at one, were taken away and are in ${file}.`,
    `grandchild.child_id: ${600 - left} rows that pointed at lost ones were set free.`,
    `cv_certificate: ${left} rows are left.`,
  ]);
  expect([await count("child"), await count("grandchild")]).toEqual([left, 600]);
  const saved = (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(saved).toHaveLength(600 - left);
  expect(saved[0]).toEqual({
    table: "child",
    row: expect.objectContaining({ note: expect.stringMatching(/^note/) }),
  });
  // The keys hold again.
  await pool.query("ALTER TABLE child VALIDATE CONSTRAINT child_fk");
  await pool.end();
});

test("one process of the site looks, and the others show what it found", async () => {
  const pool = openPool(server.connection, 3);
  const watches = [1, 2].map(() => {
    const leases = createSharedLeases({
      db: pool,
      processId: randomUUID(),
      steadyMs: () => 0,
      now: () => new Date(0),
      log: { warn: () => undefined },
    });
    const logged: unknown[] = [];
    const log = { error: (details: unknown) => void logged.push(details) } as never;
    return { leases, logged, watch: createDamageWatch({ pool, cancels: pool, leases, log }) };
  });
  for (const { leases } of watches) await leases.renew();
  for (const { watch } of watches) await watch.look();
  const [first, second] = watches;
  expect(first?.watch.check()).toMatchObject({ reason: "tables_damaged" });
  expect(second?.watch.check()).toEqual(first?.watch.check());
  expect(watches.map(({ logged }) => logged.length)).toEqual([1, 0]);
  for (const { watch, leases } of watches) {
    await watch.close();
    await leases.close();
  }
  await pool.end();
});

test("a stop of the server ends a look at a large table in its middle", async () => {
  const pool = openPool(server.connection, 3);
  const holder = await pool.connect();
  // As long as it is locked, reading it takes for ever.
  await holder.query("BEGIN; LOCK TABLE access_level IN ACCESS EXCLUSIVE MODE");
  const watch = createDamageWatch({
    pool,
    cancels: pool,
    leases: createLocalLeases(),
    log: { error: () => undefined } as never,
  });
  const looking = watch.look().catch((error: Error) => error.message);
  const isWaiting = async () =>
    (await pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rowCount === 1;
  while (!(await isWaiting())) await new Promise(setImmediate);
  await watch.close();
  expect(await looking).toMatch(/cancel|stopped/);
  await holder.query("ROLLBACK");
  holder.release();
  await pool.end();
});

test("the database is copied as it is, damage and all, before anything is repaired", async () => {
  await server.stop();
  const copy = await copyCluster(folder.folder, NOW);
  expect(copy).toBe(join(folder.folder, "backups", "before-repair-20261120T120000Z"));
  expect(await readdir(copy)).toEqual(expect.arrayContaining(["PG_VERSION", "base", "global"]));
});
