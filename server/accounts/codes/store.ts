import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { LIMITS } from "#contract/limits.ts";
import type { Queryable } from "#server/db/pool.ts";
import { toMoment } from "../store.ts";
import { deriveSecrets, type SigningKeys } from "../tokens/keys.ts";

export type CodePurpose = "verify_email" | "reset_password" | "change_email";

/** What a code is for; the address in lower case. */
export interface CodeSubject {
  purpose: CodePurpose;
  email: string;
}

/** Codes that people get by mail and type: six digits, of which the database keeps a keyed hash. */
export interface Codes {
  generate(): string;
  hash(subject: CodeSubject, code: string): string;
  isRight(subject: CodeSubject, code: string, hash: string): boolean;
}

/** A plain hash of six digits would be guessed in a moment by whoever reads the database: hence the key. */
export function createCodes(keys: SigningKeys): Codes {
  const [signing, ...older] = deriveSecrets(keys, "codes");
  const mac = (secret: Buffer, { purpose, email }: CodeSubject, code: string) =>
    createHmac("sha256", secret).update(`${purpose}.${email}.${code}`).digest();
  return {
    generate: () => String(randomInt(10 ** LIMITS.codeDigits)).padStart(LIMITS.codeDigits, "0"),
    hash: (subject, code) => mac(signing, subject, code).toString("base64url"),
    isRight(subject, code, hash) {
      const kept = Buffer.from(hash, "base64url");
      return [signing, ...older].some((secret) => {
        const own = mac(secret, subject, code);
        return own.length === kept.length && timingSafeEqual(own, kept);
      });
    },
  };
}

export interface CodeRow {
  id: number;
  user_id: number | null;
  username: string | null;
  code_hash: string | null;
  tries: number;
  sent_at: string;
  expires_at: string;
}

/** Any number, the same in every version: shared by who locks one address, held alone by who locks many. */
const ADDRESSES_LOCK = 4_701_923;
/** The database keeps a list of locks, which a bulk deletion must not fill. */
const MAX_LOCKED_APART = 100;

/** One at a time decides about an address: who claims it, who proves it, what it is sent. Until the transaction ends. */
export async function lockAddress(db: Queryable, email: string): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock(hashtextextended($2, 0))", [
    ADDRESSES_LOCK,
    `account ${email}`,
  ]);
}

/**
 * Locks addresses, in any case, before the rows of their accounts: the order in which codes lock them. Always in the same order,
 * so that no two wait for each other.
 */
export async function lockAddresses(db: Queryable, emails: readonly string[]): Promise<void> {
  const addresses = [...new Set(emails.map((email) => email.toLowerCase()))].sort();
  if (addresses.length > MAX_LOCKED_APART)
    await db.query("SELECT pg_advisory_xact_lock($1)", [ADDRESSES_LOCK]);
  else for (const address of addresses) await lockAddress(db, address);
}

/** The live code; nobody else changes it before the transaction ends. */
export async function lockCode(db: Queryable, subject: CodeSubject): Promise<CodeRow | undefined> {
  const { rows } = await db.query<CodeRow>(
    `SELECT c.id, c.user_id, u.username, c.code_hash, c.tries, c.sent_at, c.expires_at
     FROM account_code c LEFT JOIN account_user u ON u.id = c.user_id
     WHERE c.purpose = $1 AND c.email = $2 FOR UPDATE OF c`,
    [subject.purpose, subject.email],
  );
  return rows[0];
}

/** Replaces the code of an address. Moments are ISO text. */
export async function putCode(
  db: Queryable,
  subject: CodeSubject,
  code: { userId: number | null; hash: string | null; sentAt: string; expiresAt: string },
): Promise<void> {
  await db.query(
    `INSERT INTO account_code (purpose, email, user_id, code_hash, tries, sent_at, expires_at)
     VALUES ($1, $2, $3, $4, 0, $5, $6)
     ON CONFLICT (purpose, email) DO UPDATE SET user_id = excluded.user_id, code_hash = excluded.code_hash,
       tries = 0, sent_at = excluded.sent_at, expires_at = excluded.expires_at`,
    [subject.purpose, subject.email, code.userId, code.hash, code.sentAt, code.expiresAt],
  );
}

/** Another code may be asked for 60 s from here on, as if one had been sent; the one that was sent stays good. */
export async function postponeCode(db: Queryable, id: number, sentAt: string): Promise<void> {
  await db.query("UPDATE account_code SET sent_at = $2 WHERE id = $1", [id, sentAt]);
}

export async function countTry(db: Queryable, id: number): Promise<void> {
  await db.query("UPDATE account_code SET tries = tries + 1 WHERE id = $1", [id]);
}

/** A person's codes for a new password, whatever address they went to, are good for nothing any more. */
export async function spendResetCodes(db: Queryable, userId: number): Promise<void> {
  await db.query(
    "UPDATE account_code SET code_hash = NULL, user_id = NULL WHERE user_id = $1 AND purpose = 'reset_password'",
    [userId],
  );
}

/** No code of the address is good any more; the row stays, because it says when the last mail was sent. */
export async function spendCode(db: Queryable, id: number): Promise<void> {
  await db.query("UPDATE account_code SET code_hash = NULL, user_id = NULL WHERE id = $1", [id]);
}

/** Before the rows of accounts: whoever sets a password takes codes and account in this order. */
export async function lockCodesOf(db: Queryable, userIds: readonly number[]): Promise<void> {
  await db.query("SELECT FROM account_code WHERE user_id = ANY($1::integer[]) ORDER BY id FOR UPDATE", [
    userIds,
  ]);
}

/** No code that named the person is good any more, whatever it was for. */
export async function spendCodesOf(db: Queryable, userId: number): Promise<void> {
  await db.query("UPDATE account_code SET code_hash = NULL, user_id = NULL WHERE user_id = $1", [userId]);
}

/** No code with which an address, in lower case, would be proven is good any more. */
export async function spendVerification(db: Queryable, email: string): Promise<void> {
  await db.query(
    "UPDATE account_code SET code_hash = NULL, user_id = NULL WHERE email = $1 AND purpose = 'verify_email'",
    [email],
  );
}

/** Codes that were over at `before` (milliseconds). */
export async function deleteOldCodes(db: Queryable, before: number): Promise<void> {
  await db.query("DELETE FROM account_code WHERE expires_at <= $1", [toMoment(before)]);
}

/**
 * Codes of an account that goes: those of the addresses (in lower case) that it has proven, and of one that it wanted to move to.
 * Codes of an address that it only claimed are others' too, and what was sent after `sentBefore` (milliseconds) still bounds how
 * soon the address is sent another.
 */
export async function deleteCodesOf(
  db: Queryable,
  account: { id: number; proven: readonly string[]; sentBefore: number },
): Promise<void> {
  await db.query(
    `DELETE FROM account_code
     WHERE email = ANY($1) OR (user_id = $2 AND purpose = 'change_email' AND sent_at <= $3)`,
    [account.proven, account.id, toMoment(account.sentBefore)],
  );
}
