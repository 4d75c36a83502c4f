import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { recordAudit } from "#server/audit/service.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type Account, type Client, toActor } from "../account.ts";
import type { AccountDeps } from "../deps.ts";
import { endAllSessions } from "../sessions/end-sessions.ts";
import { findUserContentType } from "../store.ts";
import { removeOtherClaims, selectMode, settleInvitation } from "./claims.ts";
import { type Entry, findEntrant, markProven, takeAnnouncement } from "./store.ts";

const HOUR_MS = 60 * 60 * 1000;

/**
 * What the proof of an address makes of an account. By approval whoever registered waits; nobody else does: an invitation vouches
 * for its person, and so does the console for accounts that it made, and for those that it gave a level.
 */
async function findEntry(db: Queryable, userId: number): Promise<Entry> {
  const invited = await settleInvitation(db, userId);
  const { admission, is_registration } = await findEntrant(db, userId);
  // Who waits, or was refused, proves what they like: staff decide.
  if (admission !== "admitted") return { level: ACCESS_LEVEL.guest, isWaiting: false };
  if (invited !== undefined) return { level: invited, isWaiting: false };
  const isWaiting = is_registration && (await selectMode(db)) === "approval";
  return { level: isWaiting ? ACCESS_LEVEL.guest : ACCESS_LEVEL.user, isWaiting };
}

/**
 * The address is the account's, which gets its level, or begins to wait: then its sessions end, which it may have had without a
 * proof, and staff are written to. The address is locked; after commit the caller drops `sessionAccounts`.
 */
export async function enterProven(
  deps: AccountDeps,
  db: Queryable,
  userId: number,
  email: string,
): Promise<Account> {
  const entry = await findEntry(db, userId);
  const account = await markProven(db, userId, email, entry);
  if (entry.isWaiting) {
    await endAllSessions(db, userId, "revoked", deps.clock());
    await announceWaiting(deps, db);
  }
  return account;
}

/** For the entry of the log. */
export function toAdmissionChange({ admission }: Pick<Account, "admission">) {
  return admission === "waiting" ? { admission: { before: "admitted", after: admission } } : {};
}

/** A code has shown that the address is the account's: other claims of it go, with an entry in the log. The address is locked. */
export async function proveAddress(
  deps: AccountDeps,
  db: Queryable,
  claim: Pick<Account, "id" | "email">,
  client: Client,
): Promise<Account> {
  const account = await enterProven(deps, db, claim.id, claim.email);
  await removeOtherClaims(db, account.email.toLowerCase(), account.id);
  await recordAudit(db, toActor(account, client), {
    action: "UPDATE",
    detail: "verify_email",
    contentTypeId: await findUserContentType(db),
    objectId: account.id,
    objectRepr: account.username,
    changes: { is_email_verified: { before: false, after: true }, ...toAdmissionChange(account) },
  });
  await notifyChange(db, "accounts.user", toRowChange("updated", [account.id]));
  return account;
}

/**
 * Writes to staff that people wait for a decision, and how many: of each person once, and at most once an hour, however many come.
 * Those who come within the hour are in the next mail, for which `createWaitingWatch` looks.
 */
async function announceWaiting(
  deps: Pick<AccountDeps, "mail" | "listStaff" | "clock">,
  db: Queryable,
): Promise<void> {
  const now = deps.clock();
  const count = await takeAnnouncement(db, now, now - HOUR_MS);
  if (count === undefined) return;
  for (const { email, language, userId } of await deps.listStaff(db))
    await deps.mail.queue(db, {
      kind: "registrations_waiting",
      recipient: email,
      language,
      ...(userId !== null && { userId }),
      count: String(count),
    });
}

/** People of whom staff weren't written within the hour are not left for longer than this beyond it. */
const LOOK_EVERY_MS = 5 * 60 * 1000;

/** Looks by the clock for people who wait and of whom staff don't know yet. */
export function createWaitingWatch(
  deps: Pick<AccountDeps, "pool" | "mail" | "listStaff" | "clock" | "log">,
): { start(): void; look(): Promise<void>; close(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  async function look(): Promise<void> {
    await withTransaction(deps.pool, (db) => announceWaiting(deps, db)).catch((error: unknown) =>
      deps.log.warn({ err: error }, "staff can't be written to now about people who wait"),
    );
  }
  return {
    look,
    start() {
      timer = setInterval(() => {
        looking = look();
      }, LOOK_EVERY_MS).unref();
    },
    async close() {
      clearInterval(timer);
      await looking;
    },
  };
}
