import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
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

/** As the storage names its folders, by how a file's name begins. What else lies there is somebody else's. */
const GROUP = /^[0-9a-f]{2}$/;

async function isOld(path: string, now: Date): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  return now.getTime() - mtimeMs > MIN_AGE_MS;
}

/**
 * Removes pictures of people that no account names: a crash between storing and saving leaves one. Called at start and daily
 * with the folder that the pictures' storage has; says how many it removed.
 */
export async function sweepPictures(db: Queryable, folder: string, now: Date): Promise<number> {
  let removed = 0;
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return []; // nobody has uploaded anything yet
    throw error;
  });
  const groups = entries.filter((entry) => entry.isDirectory() && GROUP.test(entry.name));
  for (const { name: group } of groups) {
    const files = await readdir(join(folder, group), { withFileTypes: true });
    const names = files.filter((file) => file.isFile()).map((file) => file.name);
    for (const name of await findUnusedPictures(db, names)) {
      const path = join(folder, group, name);
      if (!(await isOld(path, now))) continue;
      await rm(path, { force: true });
      removed++;
    }
  }
  return removed;
}
