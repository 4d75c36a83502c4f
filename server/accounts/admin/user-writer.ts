import { randomBytes } from "node:crypto";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { toPseudonym } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { RecordWriter, WriteNote } from "#server/models/record-writer.ts";
import { removeOldClaims } from "../claims/claims.ts";
import { CLAIM_LIFETIME_MS } from "../claims/store.ts";
import { lockAddress, lockAddresses, lockCodesOf } from "../codes/store.ts";
import { eraseAccount } from "../erase-account.ts";
import { buildAccountMadeMail } from "../mails.ts";
import { alertOfStaff, isNewStaff, lockLevelsOfPeople, lockSuperusers } from "../owners.ts";
import { dropFilesOf } from "../profile/delete-account.ts";
import type { AdminDeps } from "../profile/deps.ts";
import { toTakenError } from "../store.ts";
import {
  findLocks,
  findManaged,
  insertManaged,
  type LevelRow,
  lockLevel,
  type ManagedValues,
} from "./store.ts";
import { updateUser } from "./update-user.ts";
import {
  findNameFaults,
  type GivenValues,
  requireDecision,
  requireFreeNames,
  requireGivenLevel,
  requireGoodNames,
  requireReach,
  requireWriter,
  settleAddress,
  toManagedChange,
  type Writer,
} from "./write-rules.ts";

/** A new level makes a claim the console's own, which settles whose the address is. */
function touchesAddress(values: GivenValues): boolean {
  return values.has("email") || values.get("is_email_verified") === true || values.has("access_level_id");
}

function mayDemote(values: GivenValues): boolean {
  return values.has("access_level_id") || values.get("is_active") === false;
}

/** An owner without a proven address is none. */
function mayUnprove(values: GivenValues): boolean {
  return values.has("email") || values.get("is_email_verified") === false;
}

/** Writes people's accounts, whichever endpoint is used. */
export function createUserWriter(deps: AdminDeps): RecordWriter {
  return {
    /** Levels, addresses, codes, then superusers and rows by number: the order of every call of accounts. */
    async prepare(db, operation, ids, values) {
      const isAddressed = operation === "delete" || touchesAddress(values);
      const mayEndOwner = operation === "delete" || mayDemote(values) || mayUnprove(values);
      if (!isAddressed && !mayEndOwner) return;
      if (mayDemote(values)) await lockLevelsOfPeople(db);
      const { addresses, hasSuperuser } = await findLocks(db, ids);
      const email = values.get("email");
      if (isAddressed) {
        await lockAddresses(db, typeof email === "string" ? [...addresses, email.trim()] : addresses);
        await lockCodesOf(db, ids);
      }
      if (mayEndOwner && hasSuperuser) await lockSuperusers(db, ids);
    },
    create: (db, values, actor) => createUser(deps, db, values, actor),
    update: (db, id, values, actor) => updateUser(deps, db, id, values, actor),
    delete: (db, id, actor) => deleteUser(deps, db, id, actor),
    findFaults: findNameFaults,
    committed: () => deps.accounts.sessionAccounts.drop(),
  };
}

const PASSWORD_BYTES = 32;

/** Where no level is chosen: that of signed-in visitors. */
async function findDefaultLevel(db: Queryable): Promise<LevelRow> {
  const level = await lockLevel(db, { level: ACCESS_LEVEL.user });
  if (!level) throw new Error(`There is no access level ${ACCESS_LEVEL.user}.`);
  return level;
}

/** A guest who is vouched for becomes a user, as with a code. */
async function findLevel(db: Queryable, writer: Writer, change: Partial<ManagedValues>): Promise<LevelRow> {
  const id = change.access_level_id ?? (await findDefaultLevel(db)).id;
  const given = await requireGivenLevel(db, writer, id);
  return given.level === ACCESS_LEVEL.guest && change.is_email_verified ? findDefaultLevel(db) : given;
}

/**
 * Makes an account for somebody else. Nobody knows its password: the person chooses one by mail, which also proves the address.
 * @throws AppError validation_failed, permission_denied.
 */
async function createUser(
  { accounts }: AdminDeps,
  db: Queryable,
  given: GivenValues,
  actor: Actor,
): Promise<{ id: number }> {
  const writer = await requireWriter(db, actor);
  const change = toManagedChange(given);
  const names = { username: change.username ?? "", email: change.email ?? "" };
  requireGoodNames(names);
  const level = await findLevel(db, writer, change);
  const values = {
    first_name: "",
    last_name: "",
    is_active: true,
    is_email_verified: false,
    admission: "admitted" as const,
    ...change,
    ...names,
    access_level_id: level.id,
  };
  requireDecision({ ...values, admission: "admitted" }, values);
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
  const made = { access_level: level.level, is_active: values.is_active };
  if (isNewStaff(undefined, made)) await alertOfStaff(db, { userId: id, level: level.level }, actor);
  return { id };
}

/**
 * Deletes somebody's account as they would themselves.
 * @throws AppError own_account_protected, superuser_protected, permission_denied, object_not_found.
 */
async function deleteUser(deps: AdminDeps, db: Queryable, id: number, actor: Actor): Promise<WriteNote> {
  const writer = await requireWriter(db, actor);
  const account = await findManaged(db, id);
  if (!account) throw new AppError("object_not_found");
  requireReach(writer, account.access_level);
  if (id === writer.userId) throw new AppError("own_account_protected");
  if (account.access_level === ACCESS_LEVEL.superuser) throw new AppError("superuser_protected");
  const erasing = { mail: deps.mail, clock: deps.accounts.clock };
  if (!(await eraseAccount(erasing, db, account, null))) throw new AppError("object_not_found");
  return { pseudonym: toPseudonym(id), afterCommit: () => dropFilesOf(deps, account) };
}
