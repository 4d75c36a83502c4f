import type pg from "pg";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { removeOldClaims } from "./claims/claims.ts";
import { CLAIM_LIFETIME_MS } from "./claims/store.ts";
import { deleteOldCodes } from "./codes/store.ts";
import { deleteSpentTickets } from "./factors/store.ts";
import { deleteOldSessions } from "./sessions/store.ts";
import { findUnusedPictures } from "./store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The privacy page says these. */
export const CODE_KEPT_MS = DAY_MS;
export const SESSION_KEPT_MS = 30 * DAY_MS;

/** Takes away what is over: claims of addresses that nobody proved, codes, sessions. Called at start and daily. */
export async function cleanAccounts(pool: pg.Pool, now: Date): Promise<void> {
  const ms = now.getTime();
  await withTransaction(pool, async (db) => {
    await removeOldClaims(db, ms - CLAIM_LIFETIME_MS);
    await deleteOldCodes(db, ms - CODE_KEPT_MS);
    await deleteOldSessions(db, ms - SESSION_KEPT_MS);
    await deleteSpentTickets(db, ms);
  });
}

/** A younger file may belong to a change that is being saved right now. */
const MIN_AGE_MS = 24 * 60 * 60 * 1000;

const BATCH = 500;

/** Where people's pictures are, as far as a sweep goes. */
export interface SweptStorage {
  list(): AsyncIterable<{ name: string; writtenAt: Date }>;
  delete(name: string): Promise<void>;
}

/**
 * Removes pictures of people that no account names: a crash between storing and saving leaves one. Called at start and daily; ends early with
 * `stop`; says how many it removed.
 */
export async function sweepPictures(
  db: Queryable,
  storage: SweptStorage,
  now: Date,
  stop?: AbortSignal,
): Promise<number> {
  let removed = 0;
  let old: string[] = [];
  const sweep = async () => {
    for (const name of await findUnusedPictures(db, old)) {
      await storage.delete(name);
      removed++;
    }
    old = [];
  };
  for await (const { name, writtenAt } of storage.list()) {
    if (stop?.aborted) return removed;
    if (now.getTime() - writtenAt.getTime() > MIN_AGE_MS) old.push(name);
    if (old.length === BATCH) await sweep();
  }
  if (old.length > 0) await sweep();
  return removed;
}
