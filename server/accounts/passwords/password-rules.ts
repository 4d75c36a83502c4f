import { createHash } from "node:crypto";
import { LIMITS } from "#contract/limits.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { foldPassword, readCommonPasswords } from "./common-passwords.ts";

/** Shorter words stand in too many others. */
const WORD_CHARS_MIN = 4;
const DISTINCT_CHARS_MIN = 5;
const ASK_LIMIT_MS = 3000;
/** SHA-1 is what breach ranges are asked by: its first five digits alone leave the machine. */
const PREFIX_DIGITS = 5;
const ANSWER_CHARS_MAX = 500_000;

/** Of whom a password is to be. */
export interface PasswordOwner {
  username: string;
  email: string;
  first_name?: string;
  last_name?: string;
}

/** What a new password may not be, beside too short or too long (docs/decisions/027). */
export interface PasswordRules {
  /**
   * @param field of the request, which the fault is said of.
   * @throws AppError validation_failed with password_common, password_own_words or password_breached.
   */
  requireGood(db: Queryable, password: string, owner: PasswordOwner, field: string): Promise<void>;
}

function toWords(texts: readonly (string | null | undefined)[]): string[] {
  const words = texts.flatMap((text) => foldPassword(text ?? "").split(/[^\p{L}\p{N}]+/u));
  // The longest first: of "adalovelace" and "ada" the first is to go as a whole.
  return words
    .filter((word) => word.length >= WORD_CHARS_MIN)
    .sort((one, other) => other.length - one.length);
}

/** What stands between the parts of names and addresses. */
const JOINTS = /[\s.@_+-]/g;

/** Whether too little is left of a password without the words that anybody would try first, and without what joins them. */
function isMadeOf(password: string, words: readonly string[]): boolean {
  const folded = foldPassword(password);
  const rest = words.reduce((left, word) => left.replaceAll(word, ""), folded);
  return rest !== folded && rest.replaceAll(JOINTS, "").length < LIMITS.passwordMinChars;
}

/** What the site calls itself and its owner. */
async function listSiteNames(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string | null }>(
    "SELECT author AS name FROM site_settings UNION ALL SELECT name FROM cv_profile",
  );
  return rows.flatMap(({ name }) => name ?? []);
}

/**
 * Whether a password was in a breach, by the ranges of Have I Been Pwned or of a copy: the address ends with the first five digits
 * of its SHA-1, the answer is a line for each hash that begins so. Padded, so that its length says nothing.
 */
async function isBreached(url: string, password: string): Promise<boolean> {
  const digest = createHash("sha1").update(password).digest("hex").toUpperCase();
  const answer = await fetch(`${url}${digest.slice(0, PREFIX_DIGITS)}`, {
    headers: { "add-padding": "true" },
    redirect: "error",
    signal: AbortSignal.timeout(ASK_LIMIT_MS),
  });
  if (!answer.ok) throw new Error(`It answers with ${answer.status}.`);
  const text = (await answer.text()).slice(0, ANSWER_CHARS_MAX);
  const line = text.split(/\r?\n/).find((found) => found.startsWith(`${digest.slice(PREFIX_DIGITS)}:`));
  // Padding is lines with a count of 0.
  return line !== undefined && !line.endsWith(":0");
}

/**
 * @param publicUrl Of the site: parts of its host's name are the site's own words.
 * @param rangesUrl Of breach ranges; undefined: they aren't asked. One that doesn't answer refuses nobody, and is logged.
 */
export function createPasswordRules({
  publicUrl,
  rangesUrl,
  log,
}: {
  publicUrl?: string | undefined;
  rangesUrl?: string | undefined;
  log: { warn(details: object, message: string): void };
}): PasswordRules {
  const isListed = readCommonPasswords();
  const host = publicUrl ? new URL(publicUrl).hostname : "";
  return {
    async requireGood(db, password, owner, field) {
      const refuse = (code: string) => new AppError("validation_failed", { fields: [{ field, code }] });
      if (new Set(foldPassword(password)).size < DISTINCT_CHARS_MIN || isListed(password))
        throw refuse("password_common");
      const { username, email, first_name, last_name } = owner;
      const own = [username, email, first_name, last_name, host, "foyer", ...(await listSiteNames(db))];
      if (isMadeOf(password, toWords(own))) throw refuse("password_own_words");
      if (!rangesUrl) return;
      const isKnown = await isBreached(rangesUrl, password).catch((err: unknown) => {
        log.warn({ err }, "breach ranges can't be asked, so a new password was taken without");
        return false;
      });
      if (isKnown) throw refuse("password_breached");
    },
  };
}
