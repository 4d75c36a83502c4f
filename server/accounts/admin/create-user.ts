import { randomBytes } from "node:crypto";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { Actor } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { CLAIM_LIFETIME_MS } from "../claims/store.ts";
import { lockAddress } from "../code-store.ts";
import { buildAccountMadeMail } from "../mails.ts";
import { removeOldClaims } from "../remove-claims.ts";
import { toTakenError } from "../taken-error.ts";
import { requireFreeNames, settleAddress } from "./claim-address.ts";
import { lockLevel } from "./level-store.ts";
import type { AdminParts } from "./parts.ts";
import { insertManaged, type ManagedValues } from "./store.ts";
import { type GivenValues, requireGoodNames, toManagedChange } from "./user-values.ts";
import { requireGivenLevel, requireWriter, type Writer } from "./write-rules.ts";

const PASSWORD_BYTES = 32;

/** Where no level is chosen: that of signed-in visitors. */
async function findDefaultLevel(db: Queryable): Promise<number> {
  const level = await lockLevel(db, { level: ACCESS_LEVEL.user });
  if (!level) throw new Error(`There is no access level ${ACCESS_LEVEL.user}.`);
  return level.id;
}

/** Who is vouched for as a guest becomes a user, as with a code. */
async function findLevelId(db: Queryable, writer: Writer, change: Partial<ManagedValues>): Promise<number> {
  const { id, level } = await requireGivenLevel(
    db,
    writer,
    change.access_level_id ?? (await findDefaultLevel(db)),
  );
  return level === ACCESS_LEVEL.guest && change.is_email_verified ? findDefaultLevel(db) : id;
}

/**
 * Makes an account for somebody else. Nobody knows its password: the person chooses one by mail, which also proves the address.
 * @throws AppError validation_failed, permission_denied.
 */
export async function createUser(
  { accounts }: AdminParts,
  db: Queryable,
  given: GivenValues,
  actor: Actor,
): Promise<{ id: number }> {
  const writer = await requireWriter(db, actor);
  const change = toManagedChange(given);
  const names = { username: change.username ?? "", email: change.email ?? "" };
  requireGoodNames(names);
  const level = await findLevelId(db, writer, change);
  const values = {
    first_name: "",
    last_name: "",
    is_active: true,
    is_email_verified: false,
    ...change,
    ...names,
    access_level_id: level,
  };
  await lockAddress(db, values.email.toLowerCase());
  await removeOldClaims(db, accounts.clock() - CLAIM_LIFETIME_MS, values.username);
  await requireFreeNames(db, values, null);
  const passwordHash = await accounts.passwords.hash(randomBytes(PASSWORD_BYTES).toString("base64url"));
  const { id } = await insertManaged(db, values, passwordHash).catch((error: unknown) => {
    throw toTakenError(error);
  });
  if (values.is_email_verified) await settleAddress(db, values.email, id);
  if (values.is_active) {
    const addressee = { id, username: values.username, email: values.email, admin_language: writer.language };
    await accounts.mail.queue(db, buildAccountMadeMail(addressee));
  }
  return { id };
}
