import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { WriteNote } from "#server/models/record-writer.ts";
import { noteInvitation, removeOldClaims } from "../claims/claims.ts";
import { CLAIM_LIFETIME_MS } from "../claims/store.ts";
import { spendCodesOf } from "../codes/store.ts";
import { buildAddressChangedMail, buildDecisionMail } from "../mails.ts";
import { alertOfStaff, isNewStaff, requireOtherSuperuser } from "../owners.ts";
import type { AdminDeps } from "../profile/deps.ts";
import { endAllSessions } from "../sessions/end-sessions.ts";
import { toTakenError } from "../store.ts";
import {
  findChanged,
  findManaged,
  lockLevel,
  type ManagedAccount,
  type ManagedValues,
  updateManaged,
} from "./store.ts";
import {
  type GivenValues,
  requireDecision,
  requireFreeNames,
  requireGivenLevel,
  requireGoodNames,
  requireNoPeer,
  requireProvenStaff,
  requireReach,
  requireWriter,
  settleAddress,
  toManagedChange,
  type Writer,
} from "./write-rules.ts";

function isSameAddress(left: ManagedValues, right: ManagedValues): boolean {
  return left.email.toLowerCase() === right.email.toLowerCase();
}

/**
 * The level after the write, and its number. A guest who is vouched for, or admitted, becomes a user, as with a code: once both
 * hold.
 */
async function findNextLevel(
  db: Queryable,
  writer: Writer,
  before: ManagedAccount,
  change: Partial<ManagedValues>,
  next: ManagedValues,
): Promise<{ id: number; level: number }> {
  const { access_level_id: id, access_level: level } = before;
  if (change.access_level_id !== undefined && change.access_level_id !== id)
    return requireGivenLevel(db, writer, change.access_level_id);
  const isIn = (values: ManagedValues) => values.is_email_verified && values.admission === "admitted";
  const user =
    isIn(next) &&
    !isIn(before) &&
    level === ACCESS_LEVEL.guest &&
    (await lockLevel(db, { level: ACCESS_LEVEL.user }));
  return user || { id, level };
}

/**
 * Names, address and switches after the write. An address that the console changes is proven only where it says so; a client that sends
 * a whole account back with another address says nothing of it.
 */
function toNext(before: ManagedAccount, change: Partial<ManagedValues>): ManagedValues {
  const moved = { ...before, ...change };
  const isMoved = !isSameAddress(before, moved);
  const isSaid = (change.is_email_verified ?? before.is_email_verified) !== before.is_email_verified;
  return {
    ...moved,
    is_email_verified: isSaid ? moved.is_email_verified : before.is_email_verified && !isMoved,
  };
}

/** What the write says to somebody who waits, or was refused. */
function toDecision(before: ManagedValues, next: ManagedValues) {
  if (next.admission === before.admission) return undefined;
  return next.admission === "admitted" ? "approved" : "refused";
}

/** Whether they can sign in as a superuser. */
function isOwner(account: ManagedValues & { access_level: number }): boolean {
  return account.access_level === ACCESS_LEVEL.superuser && account.is_active && account.is_email_verified;
}

/** The change that makes an owner none; forms say so under its field. */
function findEndingField(
  before: ManagedAccount,
  next: ManagedValues & { access_level: number },
): "access_level_id" | "is_active" | "email" | "is_email_verified" {
  if (next.access_level !== before.access_level) return "access_level_id";
  if (!next.is_active) return "is_active";
  return isSameAddress(before, next) ? "is_email_verified" : "email";
}

/** @throws AppError own_account_protected or last_superuser, with the field. */
async function requireKept(
  db: Queryable,
  writer: Writer,
  before: ManagedAccount,
  next: ManagedValues & { access_level: number },
): Promise<void> {
  if (before.is_active && !next.is_active && before.id === writer.userId)
    throw new AppError("own_account_protected", {
      fields: [{ field: "is_active", code: "own_account_protected" }],
    });
  if (isOwner(before) && !isOwner(next))
    await requireOtherSuperuser(db, before.id, findEndingField(before, next));
}

/** Before the row is written: what held its new names without proof goes. */
async function makeRoom(
  { accounts }: AdminDeps,
  db: Queryable,
  before: ManagedAccount,
  next: ManagedValues,
): Promise<void> {
  const isRenamed = next.username.toLowerCase() !== before.username.toLowerCase();
  if (isRenamed) await removeOldClaims(db, accounts.clock() - CLAIM_LIFETIME_MS, next.username);
  const isRaised = before.has_ticket && next.access_level_id !== before.access_level_id;
  const isClaimed =
    isRaised || !isSameAddress(before, next) || (next.is_email_verified && !before.is_email_verified);
  const names = {
    ...(isRenamed && { username: next.username }),
    ...(isClaimed && { email: next.email }),
  };
  await requireFreeNames(db, names, before.id);
}

/** After the row is written: codes, claims and sessions that it leaves without a ground, and word to the address before. */
async function settle(
  { accounts }: AdminDeps,
  db: Queryable,
  before: ManagedAccount,
  next: ManagedValues,
  isOwn: boolean,
): Promise<void> {
  const isMoved = !isSameAddress(before, next);
  if (isMoved) await spendCodesOf(db, before.id);
  // What the console says of somebody without a proof counts more than an invitation: the next proof gives nothing of it back.
  const isDecided = before.is_email_verified || next.access_level_id !== before.access_level_id;
  if (isDecided && !next.is_email_verified) await noteInvitation(db, before.id, undefined);
  if (next.is_email_verified && (isMoved || !before.is_email_verified))
    await settleAddress(db, next.email, before.id);
  if (isMoved && before.is_email_verified)
    await accounts.mail.queue(
      db,
      buildAddressChangedMail({ ...before, ...next }, before.email, accounts.clock()),
    );
  if (before.is_active && !next.is_active) await endAllSessions(db, before.id, "suspended", accounts.clock());
  // Somebody else says where the person's mail goes: what they still have open, they open again by the new address.
  else if (isMoved && !isOwn) await endAllSessions(db, before.id, "revoked", accounts.clock());
}

/**
 * Writes what is different of a person's account.
 * @throws AppError validation_failed, permission_denied, own_account_protected, last_superuser, object_not_found.
 */
export async function updateUser(
  deps: AdminDeps,
  db: Queryable,
  id: number,
  given: GivenValues,
  actor: Actor,
): Promise<WriteNote | undefined> {
  const writer = await requireWriter(db, actor);
  const before = await findManaged(db, id);
  if (!before) throw new AppError("object_not_found");
  requireReach(writer, before.access_level);
  const change = toManagedChange(given);
  const values = toNext(before, change);
  requireGoodNames(values, before);
  const level = await findNextLevel(db, writer, before, change, values);
  const next = { ...values, access_level_id: level.id, access_level: level.level };
  if (findChanged(before, next).length === 0) return undefined;
  requireNoPeer(writer, before, next);
  requireProvenStaff(before, next);
  requireDecision(before, next);
  await requireKept(db, writer, before, next);
  await makeRoom(deps, db, before, next);
  await updateManaged(db, id, next, !isSameAddress(before, next)).catch((error: unknown) => {
    throw toTakenError(error);
  });
  await settle(deps, db, before, next, id === writer.userId);
  if (isNewStaff(before, next)) await alertOfStaff(db, { userId: id, level: next.access_level }, actor);
  const decision = toDecision(before, next);
  if (decision) {
    if (next.is_active && next.is_email_verified)
      await deps.accounts.mail.queue(db, buildDecisionMail(decision, { ...before, ...next }));
    return { detail: `registration_${decision}` };
  }
  const isPermission = before.access_level_id !== level.id || before.is_active !== next.is_active;
  return isPermission ? { detail: "permission_change" } : undefined;
}
