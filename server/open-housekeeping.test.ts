import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { parseConfig } from "./config.ts";
import { createLocalLeases } from "./db/leases/lease.ts";
import type { BucketMark } from "./files/s3.ts";
import type { FileStores } from "./files/stores.ts";
import { mayRemoveFiles, openHousekeeping } from "./open-housekeeping.ts";

let database: TestDatabase;
let other: TestDatabase;
beforeAll(async () => {
  [database, other] = [await createTestDatabase(), await createTestDatabase()];
});
afterAll(async () => {
  await database.close();
  await other.close();
});

/** A bucket whose folder nobody has claimed yet. */
function createMark(): BucketMark {
  let owner: string | undefined;
  return {
    read: async () => owner,
    async write(text) {
      owner = text;
    },
  };
}

test("the first database that comes has the bucket's files, and takes none away yet; another one never does", async () => {
  const warnings: string[] = [];
  const log = { warn: (_details: unknown, message?: string) => void warnings.push(message ?? "") };
  const bucket = { mark: createMark() };
  const ask = ({ pool }: TestDatabase) => mayRemoveFiles(bucket, pool, log as never); // its warn alone is called
  expect(await ask(database)).toBe(false);
  expect(await ask(database)).toBe(true);
  expect(warnings).toEqual([]);
  expect(await ask(other)).toBe(false);
  expect(warnings).toEqual([expect.stringMatching(/another database's.*object `site`/)]);
  expect(await ask(database)).toBe(true);
});

test("a start doesn't wait for a sweep of people's pictures, and a stop ends it", async () => {
  const listed = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const deleted: string[] = [];
  const people = {
    async *list() {
      listed.resolve();
      await held.promise;
      yield { name: `${"ab".repeat(16)}.webp`, byteSize: 1, writtenAt: new Date(0) };
    },
    delete: async (name: string) => void deleted.push(name),
  };
  const housekeeping = openHousekeeping({
    config: parseConfig({}),
    pool: database.pool,
    stores: { mark: undefined, remote: new Map(), openStorage: () => people } as unknown as FileStores, // what a sweep uses
    leases: createLocalLeases(),
    chainKey: Buffer.alloc(32),
    log: pino({ level: "silent" }),
  });
  await housekeeping.start();
  await listed.promise;
  const closed = housekeeping.close();
  held.resolve();
  await closed;
  expect(deleted).toEqual([]);
});

test("files of the data folder are the database's that is in it", async () => {
  expect(await mayRemoveFiles({ mark: undefined }, database.pool, { warn: () => undefined })).toBe(true);
});
