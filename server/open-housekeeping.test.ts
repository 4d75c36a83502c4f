import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import type { BucketMark } from "./files/s3.ts";
import { mayRemoveFiles } from "./open-housekeeping.ts";

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

test("files of the data folder are the database's that is in it", async () => {
  expect(await mayRemoveFiles({ mark: undefined }, database.pool, { warn: () => undefined })).toBe(true);
});
