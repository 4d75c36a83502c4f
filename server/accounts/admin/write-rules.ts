import { findRegistrationFaults } from "#contract/accounts/account-rules.ts";
import { ACCESS_LEVEL, hasAdminAccess } from "#contract/accounts/accounts.ts";
import { ADMISSIONS } from "#contract/accounts/admin-users.ts";
import type { Language } from "#contract/languages.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError, type FieldFault } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { toStorableLine } from "#server/db/sql.ts";
import { removeOtherClaims } from "../claims/claims.ts";
import { findOwner, hasInvitation } from "../claims/store.ts";
import { spendVerification } from "../codes/store.ts";
import {
  findChanged,
  findWriter,
  type LevelRow,
  lockLevel,
  type ManagedAccount,
  type ManagedValues,
} from "./store.ts";

/** The person who writes, with the level that they have at this moment. */
export interface Writer {
  userId: number | null;
  level: number;
  language: Language | null;
}

/** Read inside the transaction: of two who demote each other the second may do so no more. @throws AppError permission_denied. */
export async function requireWriter(db: Queryable, actor: Actor): Promise<Writer> {
  if (actor.userId === null) return { userId: null, level: actor.level, language: null };
  const found = await findWriter(db, actor.userId);
  if (!found) throw new AppError("permission_denied");
  // The request may have come with a lower level than the account has.
  return { userId: actor.userId, level: Math.min(found.level, actor.level), language: found.language };
}

/** Nobody writes a person, or a level, above their own. @throws AppError permission_denied. */
export function requireReach(writer: Writer, level: number): void {
  if (level > writer.level) throw new AppError("permission_denied");
}

/** Whoever wrote these could sign in as that person: they are changed by their owner, or from above. */
const OF_ADDRESS: readonly string[] = ["email", "is_email_verified"];

/**
 * People of one level don't write each other: with a changed address, or a level taken away first, one would become the other.
 * Superusers, above whom nobody is, may do so, but for the address. @throws AppError permission_denied with the fields.
 */
export function requireNoPeer(writer: Writer, before: ManagedAccount, next: ManagedValues): void {
  if (writer.userId === null || before.id === writer.userId || before.access_level !== writer.level) return;
  const isOfAddress = (field: string) => OF_ADDRESS.includes(field);
  const changed = findChanged(before, next);
  const refused = writer.level === ACCESS_LEVEL.superuser ? changed.filter(isOfAddress) : changed;
  if (refused.length === 0) return;
  const toFault = (field: string) => ({
    field,
    code: writer.level === ACCESS_LEVEL.superuser ? "own_address_only" : "peer_protected",
  });
  throw new AppError("permission_denied", { fields: refused.map(toFault) });
}

/**
 * Whoever registered knows the password, and nobody has seen yet whose address they named: such an account doesn't come to open
 * the console. @throws AppError validation_failed with the field.
 */
export function requireProvenStaff(
  before: { access_level: number },
  next: { access_level: number; is_email_verified: boolean },
): void {
  const isRaised = next.access_level > before.access_level && hasAdminAccess(next.access_level);
  if (isRaised && !next.is_email_verified)
    throw new AppError("validation_failed", { fields: [{ field: LEVEL_FIELD, code: "prove_first" }] });
}

/** Nobody gives a level above their own. @throws AppError permission_denied with the field. */
export function requireGivable(writer: Writer, level: number, field: string): void {
  if (level > writer.level)
    throw new AppError("permission_denied", { fields: [{ field, code: "level_above_own" }] });
}

const LEVEL_FIELD = "access_level_id";

/** A level that is to be given to somebody. @throws AppError validation_failed or permission_denied with the field. */
export async function requireGivenLevel(db: Queryable, writer: Writer, id: number): Promise<LevelRow> {
  const level = await lockLevel(db, { id });
  const refuse = (code: string) =>
    new AppError("validation_failed", { fields: [{ field: LEVEL_FIELD, code }] });
  if (!level) throw refuse("related_not_found");
  requireGivable(writer, level.level, LEVEL_FIELD);
  if (!level.is_active) throw refuse("level_inactive");
  return level;
}

/** Values of a write by the names of the model's fields, as the kinds have checked them; null empties. */
export type GivenValues = ReadonlyMap<string, unknown>;

const TEXTS = ["username", "email", "first_name", "last_name"] as const;

/** What a write says of an account. Emptied names are empty texts; an emptied switch is off, or, of `is_active`, on. */
export function toManagedChange(given: GivenValues): Partial<ManagedValues> {
  const change: Partial<ManagedValues> = {};
  for (const name of TEXTS) if (given.has(name)) change[name] = toStorableLine(String(given.get(name) ?? ""));
  const level = given.get("access_level_id");
  if (typeof level === "number") change.access_level_id = level;
  if (given.has("is_active")) change.is_active = given.get("is_active") !== false;
  if (given.has("is_email_verified")) change.is_email_verified = given.get("is_email_verified") === true;
  const admission = ADMISSIONS.find((known) => known === given.get("admission"));
  if (admission) change.admission = admission;
  return change;
}

/**
 * Who waits is admitted or refused, and who was refused may be admitted after all. Until then they stay without a level, so that
 * nothing which a level opens has to ask whether they are in. @throws AppError validation_failed.
 */
export function requireDecision(
  before: Pick<ManagedValues, "admission" | "access_level_id">,
  next: Pick<ManagedValues, "admission" | "access_level_id">,
): void {
  const isDecided = next.admission === "admitted" || before.admission === "waiting";
  if (next.admission !== before.admission && !(isDecided && next.admission !== "waiting"))
    throw new AppError("validation_failed", { fields: [{ field: "admission", code: "admission_decided" }] });
  if (next.admission !== "admitted" && next.access_level_id !== before.access_level_id)
    throw new AppError("validation_failed", { fields: [{ field: LEVEL_FIELD, code: "admit_first" }] });
}

/** Faults of those names that a body holds, by the rules of registration. */
export function findNameFaults(given: Readonly<Record<string, unknown>>): FieldFault[] {
  const toText = (value: unknown) => toStorableLine(typeof value === "string" ? value : "");
  const names = { username: toText(given.username), email: toText(given.email) };
  return findRegistrationFaults({ ...names, password: "", password_confirm: "" }).filter(
    ({ field }) => (field === "username" || field === "email") && typeof given[field] === "string",
  );
}

/** Names by the rules of registration. What stays as it was is not judged. @throws AppError validation_failed. */
export function requireGoodNames(
  next: Pick<ManagedValues, "username" | "email">,
  before?: Pick<ManagedValues, "username" | "email">,
): void {
  const faults = findRegistrationFaults({ ...next, password: "", password_confirm: "" });
  const fields = faults.filter(
    ({ field }) => (field === "username" || field === "email") && next[field] !== before?.[field],
  );
  if (fields.length > 0) throw new AppError("validation_failed", { fields });
}

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
 * The names that an account is to get, so that the answer names both faults at once. Claims that are over are gone already, and
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
