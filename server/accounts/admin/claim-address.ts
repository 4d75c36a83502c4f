import type { Queryable } from "#server/db/pool.ts";
import { AppError } from "#server/http/errors.ts";
import { findOwner, hasInvitation } from "../claim-store.ts";
import { spendVerification } from "../code-store.ts";
import { removeOtherClaims } from "../remove-claims.ts";

/** An address that somebody has proven, or that an account was made for, is nobody else's. It is locked. @throws AppError validation_failed at `email`. */
export async function requireFreeAddress(db: Queryable, email: string, userId: number | null): Promise<void> {
  const owner = await findOwner(db, email.toLowerCase());
  if ((owner && owner.id !== userId) || (await hasInvitation(db, email.toLowerCase(), userId)))
    throw new AppError("validation_failed", { fields: [{ field: "email", code: "email_taken" }] });
}

/** The console vouches for an address: others who claimed it without proof go, and no code for it is good any more. */
export async function settleAddress(db: Queryable, email: string, userId: number): Promise<void> {
  const address = email.toLowerCase();
  await removeOtherClaims(db, address, userId);
  await spendVerification(db, address);
}
