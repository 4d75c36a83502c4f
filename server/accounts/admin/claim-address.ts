import { AppError, type FieldFault } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { findOwner, hasInvitation } from "../claims/store.ts";
import { spendVerification } from "../code-store.ts";
import { removeOtherClaims } from "../remove-claims.ts";

/** An address that somebody has proven, or that an account was made for, is nobody else's. It is locked. */
async function isFreeAddress(db: Queryable, email: string, userId: number | null): Promise<boolean> {
  const owner = await findOwner(db, email.toLowerCase());
  return !((owner && owner.id !== userId) || (await hasInvitation(db, email.toLowerCase(), userId)));
}

async function isTaken(db: Queryable, username: string, userId: number | null): Promise<boolean> {
  const { rowCount } = await db.query(
    "SELECT FROM account_user WHERE lower(username) = lower($1) AND id IS DISTINCT FROM $2",
    [username, userId],
  );
  return rowCount !== 0;
}

/**
 * The names that an account is to get, so that whoever writes it is told of both at once. Claims that are over are gone already, and
 * the address is locked. @throws AppError validation_failed.
 */
export async function requireFreeNames(
  db: Queryable,
  { username, email }: { username?: string | undefined; email?: string | undefined },
  userId: number | null,
): Promise<void> {
  const fields: FieldFault[] = [];
  if (username !== undefined && (await isTaken(db, username, userId)))
    fields.push({ field: "username", code: "username_taken" });
  if (email !== undefined && !(await isFreeAddress(db, email, userId)))
    fields.push({ field: "email", code: "email_taken" });
  if (fields.length > 0) throw new AppError("validation_failed", { fields });
}

/** The console vouches for an address: others who claimed it without proof go, and no code for it is good any more. */
export async function settleAddress(db: Queryable, email: string, userId: number): Promise<void> {
  const address = email.toLowerCase();
  await removeOtherClaims(db, address, userId);
  await spendVerification(db, address);
}
