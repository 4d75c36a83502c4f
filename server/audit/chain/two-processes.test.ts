import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import type { Leases } from "#server/db/leases/lease.ts";
import { createSharedLeases } from "#server/db/leases/shared-leases.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createChainDuty } from "./duty.ts";
import { createSink } from "./sink.ts";
import { type ChainResult, type ChainWatch, createChainWatch } from "./watch.ts";

const KEY = Buffer.alloc(32, 7);
let clockMs: number;
let database: TestDatabase;
let folders: Awaited<ReturnType<typeof makeTestFolder>>[];
let copy: string;
beforeEach(async () => {
  clockMs = Date.parse("2026-11-26T12:00:00Z");
  database = await createTestDatabase();
  folders = [await makeTestFolder(), await makeTestFolder()];
  copy = join(folders[0]?.folder ?? "", "copy.log");
});
afterEach(async () => {
  await database.close();
  for (const folder of folders) await folder.remove();
});

const now = () => new Date(clockMs);
const log = { error: (details: object) => expect(details).toBeUndefined(), warn: () => {} };

/** A process of the site, with a data folder of its own; all write into one copy. */
function open(place: 0 | 1): { leases: Leases; watch: ChainWatch; looks: ChainResult[] } {
  const { pool } = database;
  const dataDir = folders[place]?.folder ?? "";
  const leases = createSharedLeases({ db: pool, processId: randomUUID(), steadyMs: () => 0, now, log });
  const duty = createChainDuty(leases, KEY);
  const looks: ChainResult[] = [];
  const sink = createSink({ pool, target: { kind: "file", path: copy }, dataDir, duty, log, now });
  const watch = createChainWatch({
    pool,
    exportPool: pool,
    canChangeLog: false,
    dataDir,
    key: KEY,
    duty,
    tell: async (result) => void looks.push(result),
    log,
    now,
    sink,
  });
  return { leases, watch, looks };
}

const write = (name: string) =>
  database.pool.query("INSERT INTO audit_entry (action_type, username) VALUES ('VIEW', $1)", [name]);
const readCopy = async () =>
  (await readFile(copy, "utf8")).split("\n").flatMap((line) => (line ? [JSON.parse(line).username] : []));
/** As if a process had died, or stood still, for so long that its leases are over. */
const endLeases = () => database.pool.query("UPDATE work_lease SET expires_at = clock_timestamp()");

test("the copy gets each entry once, also where the one who wrote it died and the next has another folder", async () => {
  const [a, b] = [open(0), open(1)];
  await a.leases.renew();
  await b.leases.renew();
  await write("one");
  await a.watch.seal();
  await b.watch.seal();
  await endLeases();
  await b.leases.renew();
  await write("two");
  await b.watch.seal();
  // It stood still, and believes that the work is its own.
  await write("three");
  await b.watch.seal();
  expect(await readCopy()).toEqual(["one", "two", "three"]);
  await b.watch.close();
  await a.leases.renew();
  await write("four");
  await a.watch.seal();
  expect(await readCopy()).toEqual(["one", "two", "three", "four"]);
});

test("one that stood still writes no seal of another one's a second time", async () => {
  const [a, b] = [open(0), open(1)];
  await a.leases.renew();
  await write("one");
  await a.watch.seal();
  await endLeases();
  await b.leases.renew();
  await write("two");
  await b.watch.seal();
  await a.watch.seal();
  await a.watch.seal();
  expect(await readCopy()).toEqual(["one", "two"]);
});

test("one process looks; the others show what it found, and nobody without the key can say so in its name", async () => {
  const [a, b] = [open(0), open(1)];
  await a.leases.renew();
  await b.leases.renew();
  await write("one");
  await a.watch.seal();
  await database.damage("DELETE FROM audit_entry");
  await a.watch.look();
  await b.watch.look();
  expect([a.looks.length, b.looks.length]).toEqual([1, 0]);
  await a.watch.seal();
  await b.watch.seal();
  expect(b.watch.check()).toEqual(a.watch.check());
  expect(b.watch.check()).toMatchObject({ reason: "audit_broken" });
  await database.pool.query(`UPDATE work_lease SET note = E'${"0".repeat(64)}\\n{}'`);
  await b.watch.seal();
  expect(b.watch.check()).toBeUndefined();
});

test("a look that ended with its process is done by the next one, and where nobody looks for two days, all do", async () => {
  const [a, b] = [open(0), open(1)];
  await a.leases.renew();
  await a.watch.look();
  clockMs += 25 * 3_600_000;
  await endLeases();
  await b.leases.renew();
  await b.watch.seal();
  await b.watch.look();
  expect(b.looks.length).toBeGreaterThan(0);
  clockMs += 49 * 3_600_000;
  const before = a.looks.length;
  // By its clocks its lease is over.
  await a.watch.seal();
  await a.watch.look();
  expect(a.looks.length).toBe(before + 1);
});
