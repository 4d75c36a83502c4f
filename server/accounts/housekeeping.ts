import type pg from "pg";
import { withTransaction } from "#server/db/transaction.ts";
import { CLAIM_LIFETIME_MS } from "./claims/store.ts";
import { removeOldClaims } from "./remove-claims.ts";
import { toMoment } from "./store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const CODE_KEPT_MS = DAY_MS;
const SESSION_KEPT_MS = 30 * DAY_MS;

/** Takes away what is over: claims of addresses that nobody proved, codes, sessions. Called at start and daily. */
export async function cleanAccounts(pool: pg.Pool, now: Date): Promise<void> {
  const ms = now.getTime();
  await withTransaction(pool, async (db) => {
    await removeOldClaims(db, ms - CLAIM_LIFETIME_MS);
    await db.query("DELETE FROM account_code WHERE expires_at <= $1", [toMoment(ms - CODE_KEPT_MS)]);
    await db.query("DELETE FROM account_session WHERE LEAST(ended_at, expires_at) <= $1", [
      toMoment(ms - SESSION_KEPT_MS),
    ]);
  });
}
