import type pg from "pg";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { findRegistrationFaults, trimRegistration } from "#contract/account-rules.ts";
import type { Language } from "#contract/languages.ts";
import { recordAudit, toChanges } from "#server/audit/service.ts";
import { type Actor, SYSTEM_ACTOR } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { CLAIM_LIFETIME_MS } from "./claims/store.ts";
import { lockAddress } from "./code-store.ts";
import { hashPassword } from "./passwords/hashing.ts";
import { removeOldClaims, removeOtherClaims } from "./remove-claims.ts";
import { findUserContentType, insertAccount } from "./store.ts";
import { toTakenError } from "./taken-error.ts";

/** An account that may do everything, its address taken as proven: whoever can call this owns the machine. `now` in milliseconds. */
export async function insertSuperuser(
  db: Queryable,
  owner: { username: string; email: string; passwordHash: string; language?: Language },
  by: { actor: Actor; detail: "create_superuser" | "setup"; now: number },
): Promise<{ id: number }> {
  const { username, email } = owner;
  const { actor, detail, now } = by;
  const level = ACCESS_LEVEL.superuser;
  await lockAddress(db, email.toLowerCase());
  await removeOldClaims(db, now - CLAIM_LIFETIME_MS, username);
  const { id } = await insertAccount(db, { ...owner, level });
  await removeOtherClaims(db, email.toLowerCase(), id);
  await recordAudit(db, actor, {
    action: "CREATE",
    detail,
    contentTypeId: await findUserContentType(db),
    objectId: id,
    objectRepr: username,
    changes: toChanges(
      {},
      { username, email, access_level: level, is_active: true, is_email_verified: true },
    ),
  });
  await notifyChange(db, "accounts.user", toRowChange("created", [id]));
  return { id };
}

/**
 * Creates a superuser for the command line.
 * @throws AppError validation_failed with the fields at fault.
 */
export async function createSuperuser(
  pool: pg.Pool,
  input: { username: string; email: string; password: string },
  now: number = Date.now(),
): Promise<{ id: number; username: string }> {
  const values = trimRegistration({ ...input, password_confirm: input.password });
  const { username, email, password } = values;
  // Its repetition is the command line's to ask for.
  const fields = findRegistrationFaults(values).filter(({ field }) => field !== "password_confirm");
  if (fields.length > 0) throw new AppError("validation_failed", { fields });
  const passwordHash = await hashPassword(password);
  return withTransaction(pool, async (db) => {
    const by = { actor: SYSTEM_ACTOR, detail: "create_superuser", now } as const;
    const { id } = await insertSuperuser(db, { username, email, passwordHash }, by);
    return { id, username };
  }).catch((error: unknown) => {
    throw toTakenError(error);
  });
}
