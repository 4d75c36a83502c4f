import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "#server/db/pool.ts";
import { noteRetired } from "./chain/seal.ts";
import { addMonth, deleteOldDefaults, dropOldestMonth } from "./store.ts";

const TRIES_MAX = 3;
const PAUSE_MS = 500;

/** What others' locks kept from being done is tried again; in between they read and write. */
async function withPatience<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== "55P03" || tries === TRIES_MAX) throw error; // pg's errors have one
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Makes the partitions of this month and the next two. Called at start and daily; a month that the default partition
 * already holds rows of keeps them there. @throws the database's 55P03 behind a long reader of the log: the next time may do.
 */
export async function ensureAuditPartitions(db: Queryable, now: Date): Promise<void> {
  for (let ahead = 0; ahead < 3; ahead++) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    await withPatience(() => addMonth(db, from.toISOString().slice(0, 10)));
  }
}

/**
 * Drops the months that are older than `months`, counted from the current one, and what the default partition holds from before
 * them. Called daily, after `ensureAuditPartitions`. `chainKey` signs in the seals what went. @returns what went: names of partitions, and entries of the default one.
 * @throws the database's 55P03 behind a long reader of the log: what is left goes the next time.
 */
export async function dropOldAuditEntries(
  db: Queryable,
  now: Date,
  months: number,
  chainKey: Buffer,
): Promise<{ partitions: string[]; entries: number }> {
  const begin = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
  const oldest = begin.toISOString();
  await noteRetired(db, chainKey, begin);
  const partitions: string[] = [];
  for (;;) {
    const name = await withPatience(() => dropOldestMonth(db, oldest));
    if (name === null) break;
    partitions.push(name);
  }
  return { partitions, entries: await deleteOldDefaults(db, oldest) };
}
