import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
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

/** Codes that people get by mail: six digits, of which the database keeps a keyed hash. */
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

const SECRET_BYTES = 32;
/** Shorter ones could be guessed. */
const TICKET_MIN_CHARS = 32;

/** What the database keeps of a ticket or of a mail's proof. They are long and random: a plain hash suffices. */
export function hashTicket(ticket: string): string {
  return createHash("sha256").update(ticket).digest("base64url");
}

/**
 * What a browser keeps of its registration, or of the code it asked for: its own ticket where that is long enough, else a new one.
 * A new one serves as a proof too.
 */
export function toTicket(given?: string): { ticket: string; ticketHash: string } {
  const isGood = given !== undefined && given.length >= TICKET_MIN_CHARS;
  const ticket = isGood ? given : randomBytes(SECRET_BYTES).toString("base64url");
  return { ticket, ticketHash: hashTicket(ticket) };
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

/** One that would be good for longer than twice its lifetime was sent by a clock that went back since. */
export function isInTime({ expires_at }: Pick<CodeRow, "expires_at">, now: number): boolean {
  const leftMs = Date.parse(expires_at) - now;
  return leftMs > 0 && leftMs <= 2 * LIMITS.codeLifetimeS * 1000;
}

const CODE_COLUMNS = "c.id, c.user_id, u.username, c.code_hash, c.sent_at, c.expires_at";
const CODES = "account_code c LEFT JOIN account_user u ON u.id = c.user_id";

/** What the address was sent last; nobody else changes it before the transaction ends. */
export async function lockNewestCode(db: Queryable, subject: CodeSubject): Promise<CodeRow | undefined> {
  const { rows } = await db.query<CodeRow>(
    `SELECT ${CODE_COLUMNS}, c.tries FROM ${CODES} WHERE c.purpose = $1 AND c.email = $2
     ORDER BY c.sent_at DESC, c.id DESC LIMIT 1 FOR UPDATE OF c`,
    [subject.purpose, subject.email],
  );
  return rows[0];
}

/** The code that a browser holds, with the tries of its ticket. */
export async function lockHeldCode(
  db: Queryable,
  subject: CodeSubject,
  ticketHash: string,
): Promise<CodeRow | undefined> {
  const { rows } = await db.query<CodeRow>(
    `SELECT ${CODE_COLUMNS}, t.tries FROM account_code_ticket t JOIN ${CODES} ON c.id = t.code_id
     WHERE t.purpose = $1 AND t.email = $2 AND t.ticket_hash = $3 FOR UPDATE OF c`,
    [subject.purpose, subject.email, ticketHash],
  );
  return rows[0];
}

/** The code whose mail held the proof, over or not; undefined where it was used. */
export async function lockProvenCode(
  db: Queryable,
  subject: CodeSubject,
  proofHash: string,
): Promise<CodeRow | undefined> {
  const { rows } = await db.query<CodeRow>(
    `SELECT ${CODE_COLUMNS}, c.tries FROM ${CODES}
     WHERE c.purpose = $1 AND c.email = $2 AND c.proof_hash = $3 FOR UPDATE OF c`,
    [subject.purpose, subject.email, proofHash],
  );
  return rows[0];
}

/** A browser holds a code from now on. Asking again for the one that it holds gives it no new tries. */
export async function holdCode(
  db: Queryable,
  subject: CodeSubject,
  ticketHash: string,
  codeId: number,
): Promise<void> {
  await db.query(
    `INSERT INTO account_code_ticket (purpose, email, ticket_hash, code_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (ticket_hash, purpose, email) DO UPDATE SET code_id = excluded.code_id,
       tries = CASE WHEN account_code_ticket.code_id = excluded.code_id THEN account_code_ticket.tries ELSE 0 END`,
    [subject.purpose, subject.email, ticketHash, codeId],
  );
}

interface NewCode {
  userId: number | null;
  hash: string | null;
  proofHash: string | null;
  /** ISO moments. */
  sentAt: string;
  expiresAt: string;
}

/** Another code of an address; those that are over go. @returns its number. */
export async function insertCode(db: Queryable, subject: CodeSubject, code: NewCode): Promise<number> {
  await db.query(
    "DELETE FROM account_code WHERE purpose = $1 AND email = $2 AND expires_at <= $3 AND sent_at <= $3",
    [subject.purpose, subject.email, code.sentAt],
  );
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO account_code (purpose, email, user_id, code_hash, proof_hash, sent_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
    [subject.purpose, subject.email, code.userId, code.hash, code.proofHash, code.sentAt, code.expiresAt],
  );
  if (!rows[0]) throw new Error("The code that was just made has no number.");
  return rows[0].id;
}

/** Another code may be asked for 60 s from here on, as if one had been sent; the one that was sent stays good. */
export async function postponeCode(db: Queryable, id: number, sentAt: string): Promise<void> {
  await db.query("UPDATE account_code SET sent_at = $2 WHERE id = $1", [id, sentAt]);
}

/** A wrong code counts for the ticket that it came with, else for the code itself. */
export async function countTry(
  db: Queryable,
  id: number,
  by?: { subject: CodeSubject; ticketHash: string },
): Promise<void> {
  if (!by) await db.query("UPDATE account_code SET tries = tries + 1 WHERE id = $1", [id]);
  else
    await db.query(
      `UPDATE account_code_ticket SET tries = tries + 1
       WHERE code_id = $1 AND purpose = $2 AND email = $3 AND ticket_hash = $4`,
      [id, by.subject.purpose, by.subject.email, by.ticketHash],
    );
}

/** Wrong codes since a moment (milliseconds), from anywhere and from one block of addresses. */
export async function countGuesses(
  db: Queryable,
  keys: { subject: string; block: string },
  since: number,
): Promise<{ all: number; fromBlock: number }> {
  const { rows } = await db.query<{ all: number; from_block: number }>(
    `SELECT count(*)::integer AS all, (count(*) FILTER (WHERE block_key = $2))::integer AS from_block
     FROM account_code_guess WHERE subject_key = $1 AND guessed_at > $3`,
    [keys.subject, keys.block, toMoment(since)],
  );
  return { all: rows[0]?.all ?? 0, fromBlock: rows[0]?.from_block ?? 0 };
}

/** When the block's latest guess but `max - 1` was made, in milliseconds: once it is forgotten, one more may be made. Undefined: there were fewer. */
export async function findGuess(
  db: Queryable,
  keys: { subject: string; block: string },
  max: number,
): Promise<number | undefined> {
  const { rows } = await db.query<{ guessed_at: string }>(
    `SELECT guessed_at FROM account_code_guess WHERE subject_key = $1 AND block_key = $2
     ORDER BY guessed_at DESC OFFSET $3 LIMIT 1`,
    [keys.subject, keys.block, max - 1],
  );
  return rows[0] && Date.parse(rows[0].guessed_at);
}

/** `count`: with how many codes it was compared. */
export async function noteGuesses(
  db: Queryable,
  keys: { subject: string; block: string },
  now: number,
  count: number,
): Promise<void> {
  await db.query(
    `INSERT INTO account_code_guess (subject_key, block_key, guessed_at) SELECT $1, $2, $3 FROM generate_series(1, $4::integer)`,
    [keys.subject, keys.block, toMoment(now), count],
  );
}

/** A person's codes for a new password, whatever address they went to, are good for nothing any more. */
export async function spendResetCodes(db: Queryable, userId: number): Promise<void> {
  await db.query(
    "UPDATE account_code SET code_hash = NULL, proof_hash = NULL, user_id = NULL WHERE user_id = $1 AND purpose = 'reset_password'",
    [userId],
  );
}

/** The code is good for nothing any more; the row stays, because it says when the last mail was sent. */
export async function spendCode(db: Queryable, id: number): Promise<void> {
  await db.query(
    "UPDATE account_code SET code_hash = NULL, proof_hash = NULL, user_id = NULL WHERE id = $1",
    [id],
  );
}

/** Before the rows of accounts: whoever sets a password takes codes and account in this order. */
export async function lockCodesOf(db: Queryable, userIds: readonly number[]): Promise<void> {
  await db.query("SELECT FROM account_code WHERE user_id = ANY($1::integer[]) ORDER BY id FOR UPDATE", [
    userIds,
  ]);
}

/** No code that named the person is good any more, whatever it was for. */
export async function spendCodesOf(db: Queryable, userId: number): Promise<void> {
  await db.query(
    "UPDATE account_code SET code_hash = NULL, proof_hash = NULL, user_id = NULL WHERE user_id = $1",
    [userId],
  );
}

/** No code with which an address, in lower case, would be proven is good any more. */
export async function spendVerification(db: Queryable, email: string): Promise<void> {
  await db.query(
    "UPDATE account_code SET code_hash = NULL, proof_hash = NULL, user_id = NULL WHERE email = $1 AND purpose = 'verify_email'",
    [email],
  );
}

/** Codes that were over at `before` (milliseconds), and wrong ones that came before it. */
export async function deleteOldCodes(db: Queryable, before: number): Promise<void> {
  await db.query("DELETE FROM account_code_guess WHERE guessed_at <= $1", [toMoment(before)]);
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
