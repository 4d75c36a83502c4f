import type { z } from "zod/mini";
import type { activityAnswer, OwnProfile } from "#contract/accounts/own-account.ts";
import { listOwnEntries, recordAudit, toChanges } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type Account, toAccountProfile } from "../account.ts";
import { findUserContentType } from "../store.ts";
import {
  findOwnAccount,
  lockOwnAccount,
  OWN_COLUMNS,
  type OwnAccount,
  type OwnChange,
  updateOwnAccount,
} from "./store.ts";

export function toOwnProfile(account: Account): OwnProfile {
  return {
    ...toAccountProfile(account),
    username: account.username,
    email: account.email,
    pending_email: account.pending_email,
  };
}

/** Read from the database, not from the cache of sessions: a person who waits for another device's change sees it. */
export async function getOwnProfile(db: Queryable, userId: number): Promise<OwnProfile> {
  const account = await findOwnAccount(db, userId);
  if (!account) throw new AppError("session_expired");
  return toOwnProfile(account);
}

/** What the audit keeps of an account: what people write of themselves. Pictures by their names in the storage. */
function toAudited(account: OwnAccount): Record<string, unknown> {
  const columns = [...OWN_COLUMNS, "pending_email"] as const;
  return Object.fromEntries(columns.map((column) => [column, account[column]]));
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * Changes a person's own account in the caller's transaction: row, audit entry with before and after, and notice. What is as
 * it was writes nothing. After commit the caller drops `sessionAccounts`.
 * @param toChange What is to be different, seen from the locked account.
 * @param alsoDo More to do with the account's row, recorded in the same entry; it says whether it changed something.
 * @throws AppError session_expired when the account is gone; PostgreSQL's 23505 for a taken username.
 */
export async function changeOwnAccount(
  db: Queryable,
  actor: Actor & { userId: number },
  now: number,
  toChange: (before: OwnAccount) => OwnChange,
  alsoDo: (before: OwnAccount) => Promise<boolean> = async () => false,
): Promise<{ before: OwnAccount; after: OwnAccount }> {
  const before = await lockOwnAccount(db, actor.userId);
  if (!before) throw new AppError("session_expired");
  const wanted = toChange(before);
  const differing = OWN_COLUMNS.filter(
    (column) => wanted[column] !== undefined && !isSame(wanted[column], before[column]),
  );
  const change: OwnChange = Object.fromEntries(differing.map((column) => [column, wanted[column]]));
  const hasDoneMore = await alsoDo(before);
  if (differing.length === 0 && !hasDoneMore) return { before, after: before };
  await updateOwnAccount(db, actor.userId, change, now);
  const after = await lockOwnAccount(db, actor.userId);
  if (!after) throw new AppError("session_expired");
  const changes = toChanges(toAudited(before), toAudited(after));
  await recordAudit(db, actor, {
    action: "UPDATE",
    detail: "profile",
    contentTypeId: await findUserContentType(db),
    objectId: before.id,
    objectRepr: after.username,
    message: `Changed ${Object.keys(changes).join(", ") || "nothing"}`,
    changes,
  });
  await notifyChange(db, "accounts.user", toRowChange("updated", [before.id]));
  return { before, after };
}

const PAGE_SIZE = 20;

/** A page of a person's own entries; one more is read to know whether another page follows. */
export async function getActivity(
  db: Queryable,
  userId: number,
  before: number | null,
): Promise<z.infer<typeof activityAnswer>> {
  const found = await listOwnEntries(db, userId, { before, limit: PAGE_SIZE + 1 });
  const entries = found.slice(0, PAGE_SIZE);
  return { entries, next_before: found.length > PAGE_SIZE ? (entries.at(-1)?.id ?? null) : null };
}
