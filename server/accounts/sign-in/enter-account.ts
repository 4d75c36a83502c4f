import { hasAdminAccess, notificationPreferences } from "#contract/accounts/accounts.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Account, Client } from "../account.ts";
import type { AccountDeps } from "../deps.ts";
import { buildNewSignInMail } from "../mails.ts";
import { describeDevice, type Visitor } from "../sessions/devices.ts";
import { type OpenedSession, openSession, type WayIn } from "../sessions/open-session.ts";
import { type Credentials, markSignedIn, requireAdmitted } from "../store.ts";

/**
 * Opens a session for who has shown all that their account asks for.
 * @param newHash Of the same password, which stands there since it was compared (`renewHash`).
 * @param beforeSession Runs once it is known that they may come in.
 * @returns undefined when the account is suspended, or its password changed meanwhile.
 * @throws AppError insufficient_permissions, account_waiting, account_refused; nothing of the log-in stays then.
 */
export async function enterAccount(
  deps: AccountDeps,
  db: Queryable,
  compared: Credentials,
  visitor: Visitor,
  {
    newHash = null,
    way,
    beforeSession,
  }: { newHash?: string | null; way?: WayIn; beforeSession?: () => Promise<void> },
): Promise<OpenedSession | undefined> {
  const current = { id: compared.id, password_hash: newHash ?? compared.password_hash };
  const account = await markSignedIn(db, current, deps.clock());
  if (!account) {
    await requireAdmitted(db, current);
    return undefined;
  }
  if (visitor.area === "admin" && !hasAdminAccess(account.access_level))
    throw new AppError("insufficient_permissions");
  await beforeSession?.();
  const { knownDevices } = deps;
  const marked = { ...compared, device_epoch: account.device_epoch };
  const isKnown = knownDevices.find(visitor.cookies, marked) !== undefined;
  const kept = isKnown && !newHash ? visitor.cookies.get(compared.id) : undefined;
  const device = kept ? { userId: compared.id, value: kept } : knownDevices.issue({ ...marked, ...current });
  if (!isKnown) await notifyOfNewDevice(deps, db, account, visitor);
  return openSession(deps, db, { account, device }, visitor, way);
}

/**
 * Notifies a person by mail that somebody signed in where nobody did before: never of the first time, nor to an unproven address,
 * and five times an hour at the most.
 */
async function notifyOfNewDevice(
  deps: AccountDeps,
  db: Queryable,
  account: Account & { previous_login_at: string | null },
  client: Client,
): Promise<void> {
  const wants = notificationPreferences.parse(account.notification_preferences).new_sign_in;
  if (!wants || account.previous_login_at === null || !account.is_email_verified) return;
  if (!(await deps.callLimits.takeMail("new_sign_in", String(account.id)))) return;
  const where = { device: describeDevice(client.userAgent), ipAddress: client.ipAddress ?? "" };
  await deps.mail.queue(db, buildNewSignInMail(account, where, deps.clock()));
}
