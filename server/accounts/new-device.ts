import { notificationPreferences } from "#contract/preferences.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Account, Client } from "./account.ts";
import type { AccountParts } from "./deps.ts";
import { describeDevice } from "./describe-device.ts";
import { buildNewSignInMail } from "./mails.ts";

/**
 * Tells a person by mail that somebody signed in where nobody did before: never of the first time, nor to an unproven address,
 * and five times an hour at the most.
 */
export async function tellOfNewDevice(
  parts: AccountParts,
  db: Queryable,
  account: Account & { previous_login_at: string | null },
  client: Client,
): Promise<void> {
  const wants = notificationPreferences.parse(account.notification_preferences).new_sign_in;
  if (!wants || account.previous_login_at === null || !account.is_email_verified) return;
  if (!parts.callLimits.takeMail("new_sign_in", String(account.id))) return;
  const where = { device: describeDevice(client.userAgent), ipAddress: client.ipAddress ?? "" };
  await parts.mail.queue(db, buildNewSignInMail(account, where, parts.clock()));
}
