import { promisify } from "node:util";
import { type AsyncZippable, zip } from "fflate";
import type { Language } from "#contract/languages.ts";
import exportEn from "#locales/en/export.json" with { type: "json" };
import exportTr from "#locales/tr/export.json" with { type: "json" };
import { listEntriesOf, recordAudit } from "#server/audit/service.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { takeSlot } from "#server/base/counters.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { findFactors } from "../factors/store.ts";
import { requireRecent } from "../sessions/recent.ts";
import { listSessionsOf } from "../sessions/store.ts";
import { findUserContentType } from "../store.ts";
import type { ProfileDeps } from "./deps.ts";
import { toOwnProfile } from "./own-account.ts";
import { PICTURE_FIELDS } from "./read-form.ts";
import { findLastLogin, findOwnAccount, type OwnAccount } from "./store.ts";

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
  const [lastLogin, sessions, factors, activity, mails, stops, voice] = await Promise.all([
    findLastLogin(pool, account.id),
    listSessionsOf(pool, account.id),
    findFactors(pool, account.id),
    listEntriesOf(pool, person, MAX_ENTRIES),
    deps.ownAddress.listMails(pool, account.id),
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
    "second_factor.json": toJson({
      app_since: factors.app_since,
      recovery_codes_left: factors.recovery_codes_left,
      passkeys: factors.passkeys,
    }),
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
 * @throws AppError session_expired, step_up_required, too_many_requests.
 */
export async function exportPerson(
  deps: ProfileDeps,
  person: SignedIn,
  lang: Language,
): Promise<{ name: string; content: Uint8Array }> {
  const { pool, clock } = deps.accounts;
  const account = await findOwnAccount(pool, person.userId);
  if (!account) throw new AppError("session_expired");
  await requireRecent(deps.accounts, person);
  await takeSlot(deps.limits.exports, String(person.userId));
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
