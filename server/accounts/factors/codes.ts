import { createHash, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { RECOVERY_CODES } from "#contract/accounts/second-factor.ts";
import { AppError } from "#server/base/errors.ts";
import { createSealing, type Sealing } from "#server/base/sealing.ts";
import type { Queryable } from "#server/db/pool.ts";
import { findGuess, noteGuesses } from "../codes/store.ts";
import type { AccountDeps } from "../deps.ts";
import { deriveSecrets, type SigningKeys } from "../tokens/keys.ts";
import {
  deleteRecoveryCode,
  type FactorPlace,
  listApps,
  lockApp,
  lockOwner,
  noteAppUse,
  putSealedSecret,
} from "./store.ts";

/** What authenticator apps take: RFC 6238 with SHA-1, six digits, 30 seconds; others show wrong codes in some of them. */
const APP = { algorithm: "SHA1", digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** A clock may be wrong by half a minute, and typing takes time. */
const WINDOW = 1;

/** Hides secrets of apps in the database. */
export function createAppSealing(keys: SigningKeys): Sealing {
  return createSealing(deriveSecrets(keys, "app factors"));
}

/** What a sealed secret belongs to. */
const toContext = (userId: number) => `app factor ${userId}`;

export function createAppSecret({ sealing }: AccountDeps, userId: number) {
  const secret = new Secret({ size: SECRET_BYTES });
  return { secret: secret.base32, sealed: sealing.seal(toContext(userId), secret.base32) };
}

/** What the QR code says. `issuer` is the site's name. */
export function toAppUri(secret: string, issuer: string, username: string): string {
  return new TOTP({ ...APP, issuer, label: username, secret }).toString();
}

/**
 * Whether a code is the app's now. Each counts once: it, and those of the time before it, are worth nothing afterwards.
 * @param isFirst The app is being set up; else one that doesn't count yet lets nobody in.
 */
export async function takeAppCode(
  deps: AccountDeps,
  db: Queryable,
  userId: number,
  code: string,
  { isFirst }: { isFirst: boolean },
): Promise<boolean> {
  const app = await lockApp(db, userId);
  if (!app || (app.confirmed_at === null) !== isFirst || !/^\d{6}$/.test(code)) return false;
  const now = deps.clock();
  const totp = new TOTP({ ...APP, secret: openSecret(deps, userId, app.sealed_secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  if (delta === null) return false;
  const step = totp.counter({ timestamp: now }) + delta;
  if (step <= app.last_step) return false;
  await noteAppUse(db, userId, step, now);
  return true;
}

/** @throws AppError app_unreadable where the key that hid it was lost; what to do is another factor, or the owner. */
function openSecret({ sealing, log }: AccountDeps, userId: number, sealed: string): string {
  try {
    return sealing.open(toContext(userId), sealed);
  } catch (err) {
    log.warn({ err, userId }, "the secret of an authenticator app can't be read with today's keys");
    throw new AppError("app_unreadable");
  }
}

/**
 * Hides every secret with the first key, so that older ones can be taken out.
 * @returns people whose secret none of the keys can read: it is lost already, and keeps no older key in place
 */
export async function resealAppSecrets(db: Queryable, sealing: Sealing): Promise<number[]> {
  const lost: number[] = [];
  for (const { user_id: userId, sealed_secret: sealed } of await listApps(db)) {
    const context = toContext(userId);
    const secret = tryToOpen(sealing, context, sealed);
    if (secret === undefined) lost.push(userId);
    else await putSealedSecret(db, { userId, sealed, next: sealing.seal(context, secret) });
  }
  return lost;
}

function tryToOpen(sealing: Sealing, context: string, sealed: string): string | undefined {
  try {
    return sealing.open(context, sealed);
  } catch {
    return undefined; // told to the owner with the number of the person
  }
}

/**
 * 120 bits in base32 without letters that look alike: `abcd-efgh-jkmn-pqrs-tuvw-xyz0`. A code of at least 112 may be kept as a plain hash
 * (OWASP ASVS 5.0, 6.5.2).
 */
const ALPHABET = "abcdefghjkmnpqrstvwxyz0123456789";
const CODE_CHARS = 24;

function generateRecoveryCode(): string {
  const chars = Array.from(randomBytes(CODE_CHARS), (byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return chars.replaceAll(/.{4}(?=.)/g, "$&-");
}

/** Typed in any case, with or without its dashes; letters that were left out are read as the digits that they look like. */
function toPlainCode(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");
}

/** As random as a key, so that a plain hash can't be guessed back, and no key is needed to keep them. */
function hashRecoveryCode(code: string): string {
  return createHash("sha256")
    .update(`recovery code ${toPlainCode(code)}`)
    .digest("base64url");
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Three codes of an app are good at a time: a chance of 6 in 100,000 a day. */
const WRONG_A_DAY = 20;

/** Strangers' and those of the person's own browsers are counted apart, so that the first use up none of the others'. */
const toGuessKeys = (userId: number, from: FactorPlace) => ({
  subject: `factors of ${userId}`,
  block: `factors of ${userId} ${from}`,
});

/**
 * Before a second factor is compared; locks the account. The day's count is in the database: a restart gives no more.
 * @throws AppError too_many_logins with the seconds until one may be tried again.
 */
export async function requireFactorGuess(
  { clock }: AccountDeps,
  db: Queryable,
  userId: number,
  from: FactorPlace,
): Promise<void> {
  await lockOwner(db, userId);
  const guessedAt = await findGuess(db, toGuessKeys(userId, from), WRONG_A_DAY);
  if (guessedAt === undefined) return;
  // Never longer than a day: a clock may have gone back since.
  const waitMs = Math.min(guessedAt + DAY_MS - clock(), DAY_MS);
  if (waitMs > 0) throw new AppError("too_many_logins", { retryAfterS: Math.ceil(waitMs / 1000) });
}

/** A wrong one; the transaction must commit, or it isn't counted. */
export async function noteWrongFactor(
  { clock }: AccountDeps,
  db: Queryable,
  userId: number,
  from: FactorPlace,
): Promise<void> {
  await noteGuesses(db, toGuessKeys(userId, from), clock(), 1);
}

/** Which of a person's codes was typed, spaces aside; undefined: none. It is spent with that. */
export async function takeTypedCode(
  deps: AccountDeps,
  db: Queryable,
  userId: number,
  code: string,
): Promise<"app_code" | "recovery_code" | undefined> {
  const typed = code.replaceAll(/\s/g, "");
  if (await takeAppCode(deps, db, userId, typed, { isFirst: false })) return "app_code";
  return (await takeRecoveryCode(db, userId, typed)) ? "recovery_code" : undefined;
}

/** New codes, and what is kept of them. */
export function createRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, generateRecoveryCode);
  return { codes, hashes: codes.map(hashRecoveryCode) };
}

/** Takes a recovery code, which is gone with it; false where it is none of the person's. */
async function takeRecoveryCode(db: Queryable, userId: number, code: string): Promise<boolean> {
  if (toPlainCode(code).length !== CODE_CHARS) return false;
  return deleteRecoveryCode(db, userId, hashRecoveryCode(code));
}
