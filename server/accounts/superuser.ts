import type pg from "pg";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { recordAudit, toChanges } from "#server/audit/service.ts";
import { notifyChange } from "#server/db/changes.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { AppError } from "#server/http/errors.ts";
import { type Actor, SYSTEM_ACTOR } from "#server/models/actor.ts";
import { findFaults, type NewAccount, trimNewAccount } from "./new-account.ts";
import { hashPassword } from "./password.ts";
import { findUserContentType, insertAccount } from "./store.ts";

const FIELD_BY_CONSTRAINT: Record<string, string> = {
  account_user_username: "username",
  account_user_email: "email",
};

/** PostgreSQL's refusal of a taken username or address, as a field's fault. */
function toTakenError(error: unknown): unknown {
  const { code, constraint } = error as { code?: string; constraint?: string }; // pg's errors carry these, others none
  const field = code === "23505" ? FIELD_BY_CONSTRAINT[constraint ?? ""] : undefined;
  return field
    ? new AppError("conflict", { fields: [{ field, code: "already_taken" }], cause: error })
    : error;
}

/**
 * Creates an account that may do everything, its address taken as proven: whoever can call this owns the machine.
 * @throws AppError validation_failed or conflict, with the fields at fault.
 */
export async function createSuperuser(
  pool: pg.Pool,
  input: NewAccount,
  actor: Actor = SYSTEM_ACTOR,
): Promise<{ id: number; username: string }> {
  const account = trimNewAccount(input);
  const faults = findFaults(account);
  if (faults.length > 0) throw new AppError("validation_failed", { fields: faults });
  const passwordHash = await hashPassword(account.password);
  const { username, email } = account;
  const level = ACCESS_LEVEL.superuser;
  return withTransaction(pool, async (db) => {
    const { id } = await insertAccount(db, { username, email, passwordHash, level });
    await recordAudit(db, actor, {
      action: "CREATE",
      detail: "create_superuser",
      contentTypeId: await findUserContentType(db),
      objectId: id,
      objectRepr: username,
      changes: toChanges(
        {},
        { username, email, access_level: level, is_active: true, is_email_verified: true },
      ),
    });
    await notifyChange(db, "accounts.user");
    return { id, username };
  }).catch((error: unknown) => {
    throw toTakenError(error);
  });
}
