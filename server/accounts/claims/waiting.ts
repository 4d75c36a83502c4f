import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { type Changes, recordAudit } from "#server/audit/service.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { type Account, type Client, toActor } from "../account.ts";
import type { AccountDeps } from "../deps.ts";
import { alertOfStaff, isNewStaff } from "../owners.ts";
import { endAllSessions } from "../sessions/end-sessions.ts";
import { findUserContentType } from "../store.ts";
import { removeOtherClaims, selectMode, settleInvitation } from "./claims.ts";
import { type Entry, findEntrant, markProven, takeAnnouncement } from "./store.ts";

const HOUR_MS = 60 * 60 * 1000;

/**
 * What the proof of an address makes of an account. Where not everybody may register, whoever did waits: by approval that is the
 * rule, by invitation and closed it are those who registered before the mode was chosen. An invitation vouches for its person, but
 * where nobody is to come; the console vouches for accounts that it made, and for those that it gave a level.
 */
async function findEntry(db: Queryable, userId: number): Promise<Entry> {
  const invited = await settleInvitation(db, userId);
  const { admission, is_registration } = await findEntrant(db, userId);
  // Who waits, or was refused, proves what they like: staff decide.
  if (admission !== "admitted") return { level: ACCESS_LEVEL.guest, isWaiting: false };
  const mode = await selectMode(db);
  if (invited !== undefined && mode !== "closed") return { level: invited, isWaiting: false };
  const isWaiting = is_registration && mode !== "open";
  return { level: isWaiting ? ACCESS_LEVEL.guest : ACCESS_LEVEL.user, isWaiting };
}

/**
 * The address is the account's, which gets its level, or begins to wait: then its sessions end, which it may have had without a
 * proof, and staff are written to. The address is locked; after commit the caller drops `sessionAccounts`. `changes` of their admission are for the log.
 */
export async function enterProven(
  deps: AccountDeps,
  db: Queryable,
  userId: number,
  email: string,
): Promise<{ account: Account; changes: Changes }> {
  const entry = await findEntry(db, userId);
  const account = await markProven(db, userId, email, entry);
  // The level that an invitation gives; any other is the one that the account had.
  if (entry.level === account.access_level && isNewStaff(undefined, account))
    await alertOfStaff(db, { userId, level: entry.level }, { userId, ipAddress: null });
  if (entry.isWaiting) {
    await endAllSessions(db, userId, "revoked", deps.clock());
    await announceWaiting(deps, db);
  }
  return { account, changes: entry.isWaiting ? { admission: { before: "admitted", after: "waiting" } } : {} };
}

/** A code has shown that the address is the account's: other claims of it go, with an entry in the log. The address is locked. */
export async function proveAddress(
  deps: AccountDeps,
  db: Queryable,
  claim: Pick<Account, "id" | "email">,
  client: Client,
): Promise<Account> {
  const { account, changes } = await enterProven(deps, db, claim.id, claim.email);
  await removeOtherClaims(db, account.email.toLowerCase(), account.id);
  await recordAudit(db, toActor(account, client), {
    action: "UPDATE",
    detail: "verify_email",
    contentTypeId: await findUserContentType(db),
    objectId: account.id,
    objectRepr: account.username,
    changes: { is_email_verified: { before: false, after: true }, ...changes },
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
  const count = await takeAnnouncement(db, now, HOUR_MS);
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
