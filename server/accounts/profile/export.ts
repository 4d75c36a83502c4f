import { promisify } from "node:util";
import { type AsyncZippable, zip } from "fflate";
import type { Language } from "#contract/languages.ts";
import exportEn from "#locales/en/export.json" with { type: "json" };
import exportTr from "#locales/tr/export.json" with { type: "json" };
import { listEntriesOf, recordAudit } from "#server/audit/service.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { takeSlot } from "#server/base/limits.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { findUserContentType } from "../store.ts";
import type { ProfileDeps } from "./deps.ts";
import { toOwnProfile } from "./own-account.ts";
import { PICTURE_FIELDS } from "./read-form.ts";
import { findOwnAccount, type OwnAccount } from "./store.ts";

const README: Record<Language, Record<string, string>> = { en: exportEn, tr: exportTr };
/** The newest ones: some MB, packed in a moment. */
const MAX_ENTRIES = 20_000;
/** WebP is packed already. */
const STORED = { level: 0 } as const;

const pack = promisify<AsyncZippable, Uint8Array>((files, done) => zip(files, done));

function toJson(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}

/** What each file of the archive is, in the person's language. */
function writeReadme(account: OwnAccount, lang: Language, now: Date): Uint8Array {
  const date = new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  const slots: Record<string, string> = { username: account.username, date: `${date.format(now)} UTC` };
  const lines = Object.values(README[lang]).map((line) =>
    line.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => slots[name] ?? ""),
  );
  return new TextEncoder().encode(`${lines.join("\n\n")}\n`);
}

async function readPicture({ portraits }: ProfileDeps, key: string | null): Promise<Uint8Array | undefined> {
  const file = key === null ? undefined : await portraits.open(key);
  if (!file) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of file.stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function collect(deps: ProfileDeps, account: OwnAccount): Promise<AsyncZippable> {
  const { pool } = deps.accounts;
  const { voice_preferences, notification_preferences, privacy_settings, ...profile } = toOwnProfile(account);
  const person = { userId: account.id, contentTypeId: await findUserContentType(pool) };
  const [lastLogin, sessions, activity, mails, stops, voice] = await Promise.all([
    findLastLogin(pool, account.id),
    listSessionsOf(pool, account.id),
    listEntriesOf(pool, person, MAX_ENTRIES),
    listMailsTo(pool, account.id),
    // Of an address that is not proven they may be about somebody else.
    account.is_email_verified ? deps.ownAddress.listStops(pool, account.email) : [],
    deps.collectVoiceData(pool, account.id),
  ]);
  const facts = {
    is_email_verified: account.is_email_verified,
    access_level: account.access_level,
    last_login_at: lastLogin,
  };
  const files: AsyncZippable = {
    "profile.json": toJson({ id: account.id, ...profile, ...facts }),
    "preferences.json": toJson({
      voice_preferences,
      voice_status: account.voice_status,
      notification_preferences,
      privacy_settings,
    }),
    "sessions.json": toJson(sessions),
    "activity.json": toJson(activity),
    "mails.json": toJson(mails),
    "suppressions.json": toJson(stops),
    "voice.json": toJson(voice),
  };
  for (const field of PICTURE_FIELDS) {
    const picture = await readPicture(deps, account[field]);
    if (picture) files[`${field}.webp`] = [picture, STORED];
  }
  return files;
}

/**
 * Everything that is kept of a person, as one archive; the log says that it was taken. The README speaks the language that
 * they chose, else `lang`.
 * @throws AppError session_expired, too_many_requests.
 */
export async function exportPerson(
  deps: ProfileDeps,
  person: SignedIn,
  lang: Language,
): Promise<{ name: string; content: Uint8Array }> {
  const { pool, clock } = deps.accounts;
  const account = await findOwnAccount(pool, person.userId);
  if (!account) throw new AppError("session_expired");
  takeSlot(deps.limits.exports, String(person.userId));
  const now = new Date(clock());
  const files = await collect(deps, account);
  files["README.txt"] = writeReadme(account, account.admin_language ?? lang, now);
  const content = await pack(files);
  await withTransaction(pool, async (db) =>
    recordAudit(db, person, {
      action: "VIEW",
      detail: "export",
      contentTypeId: await findUserContentType(db),
      objectId: account.id,
      objectRepr: account.username,
    }),
  );
  // An account from elsewhere may have letters that a header can't carry.
  const username = account.username.replaceAll(/[^\w-]/g, "_");
  return { name: `foyer-${username}-${now.toISOString().slice(0, 10)}.zip`, content };
}

/** When the account was signed in to; null: never, or it is gone. */
async function findLastLogin(db: Queryable, userId: number): Promise<string | null> {
  const { rows } = await db.query<{ last_login_at: string | null }>(
    "SELECT last_login_at FROM account_user WHERE id = $1",
    [userId],
  );
  return rows[0]?.last_login_at ?? null;
}

/** A session as its person may know it: nothing of its token. */
export interface ExportedSession {
  created_at: string;
  last_used_at: string;
  expires_at: string;
  ended_at: string | null;
  end_reason: string | null;
  ip_address: string | null;
  user_agent: string | null;
}

async function listSessionsOf(db: Queryable, userId: number): Promise<ExportedSession[]> {
  const { rows } = await db.query<ExportedSession>(
    `SELECT created_at, last_used_at, expires_at, ended_at, end_reason, ip_address, user_agent
     FROM account_session WHERE user_id = $1 ORDER BY created_at DESC, id`,
    [userId],
  );
  return rows;
}

/** A mail that was written to a person. */
export interface ExportedMail {
  kind: string;
  recipient: string;
  created_at: string;
  sent_at: string | null;
  /** What became of it, as far as other servers reported. */
  delivery_state: string;
  delivered_at: string | null;
  /** What the server said that did not take it. */
  failure_reason: string | null;
  returned: { type: string; subtype: string; status_code: string | null; at: string } | null;
  complaint: { type: string; at: string } | null;
}

async function listMailsTo(db: Queryable, userId: number): Promise<ExportedMail[]> {
  const { rows } = await db.query<ExportedMail>(
    `SELECT kind, recipient, m.created_at, sent_at, delivery_state, delivered_at, failure_reason,
       CASE WHEN b.id IS NOT NULL THEN jsonb_build_object('type', bounce_type, 'subtype', bounce_subtype, 'status_code', status_code,
         'at', bounced_at) END AS returned,
       CASE WHEN c.id IS NOT NULL THEN jsonb_build_object('type', feedback_type, 'at', complained_at) END AS complaint
     FROM mail_message AS m LEFT JOIN mail_bounce AS b ON b.message_id = m.id LEFT JOIN mail_complaint AS c ON c.message_id = m.id
     WHERE user_id = $1 ORDER BY m.created_at DESC, m.id DESC`,
    [userId],
  );
  return rows;
}
