import { hkdfSync, randomBytes } from "node:crypto";
import * as z from "zod/mini";
import type { KeyPlace } from "#server/db/keys/key-place.ts";

const SECRET_BYTES = 32;
const FILE = "access-token.json";
/**
 * How long a new key of the database only verifies: by then every process has heard of it, also one whose connection to the database
 * was lost without a word.
 */
const SETTLES_MS = 60_000;

/** What the file of keys holds. */
const keyFile = z.object({
  /** The newest one first. */
  keys: z
    .array(
      z.object({
        kid: z.string().check(z.regex(/^[\w-]{1,64}$/)),
        algorithm: z.literal("HS256"),
        secret: z.string().check(z.regex(/^[\w-]{43,}$/)),
        created_at: z.string(),
      }),
    )
    .check(z.minLength(1)),
});

/** A secret that signs tokens. `kid` is what a token says to name it. */
export interface SigningKey {
  kid: string;
  secret: Buffer;
}

/** The first signs, all verify. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

/** The file of keys can't be used. The message names it and is meant for the owner's terminal. */
export class SigningKeysError extends Error {
  override name = "SigningKeysError";
}

/** A new key as the file holds it. */
function buildKey(now: Date) {
  return {
    kid: randomBytes(6).toString("base64url"),
    algorithm: "HS256" as const,
    secret: randomBytes(SECRET_BYTES).toString("base64url"),
    created_at: now.toISOString(),
  };
}

type KeyList = z.infer<typeof keyFile>["keys"];

function parseKeys(text: string, title: string): KeyList {
  try {
    const { keys } = keyFile.parse(JSON.parse(text));
    if (new Set(keys.map((key) => key.kid)).size === keys.length) return keys;
  } catch {
    // The parser's own words would quote the secret.
  }
  throw new SigningKeysError(
    `${title} holds no usable signing keys. Restore it from a backup, or remove it: a new key is made and everybody signs in again.`,
  );
}

const toText = (keys: KeyList) => `${JSON.stringify({ keys }, null, 2)}\n`;

/** Keys as a process uses them. */
export interface FoundKeys {
  keys: SigningKeys;
  /** After so many milliseconds the newest one signs; 0: it does already, or is the only one. */
  settlesInMs: number;
}

/** A key that not every process may know yet stands behind the one that signed before. */
function order(list: KeyList, isSettled: boolean): SigningKeys {
  const keys = list.map(({ kid, secret }) => ({ kid, secret: Buffer.from(secret, "base64url") }));
  const [newest, before, ...others] = keys;
  if (!newest) throw new Error("The schema admits no empty list of keys.");
  if (!before) return [newest];
  return isSettled ? [newest, before, ...others] : [before, newest, ...others];
}

/** Undefined: none was made yet. @throws SigningKeysError when it is damaged */
export async function findSigningKeys(place: KeyPlace): Promise<FoundKeys | undefined> {
  const file = await place.read(FILE);
  if (!file) return undefined;
  const list = parseKeys(file.text, place.toTitle(FILE));
  const leftMs = SETTLES_MS - (file.ageMs ?? SETTLES_MS);
  const settlesInMs = list.length > 1 ? Math.max(0, Math.ceil(leftMs)) : 0;
  return { keys: order(list, settlesInMs === 0), settlesInMs };
}

/**
 * Reads `access-token.json`; the first start makes it. To rotate: `foyer rotate-keys`, which puts a new key first. An old
 * key that is taken out ends the sessions whose refresh token it made (`refresh-token.ts`).
 * @throws SigningKeysError when the file is damaged.
 */
export async function readSigningKeys(place: KeyPlace): Promise<FoundKeys> {
  const found = await findSigningKeys(place);
  if (found) return found;
  await place.create(FILE, toText([buildKey(new Date())]));
  const made = await findSigningKeys(place);
  if (!made) throw new SigningKeysError(`${place.toTitle(FILE)} went away while it was read.`);
  return made;
}

function derive(key: SigningKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key.secret, "", `foyer purpose ${purpose}`, SECRET_BYTES));
}

/** A secret for one purpose: every process with the same keys derives the same, and none reveals another. */
export function deriveSecret(keys: SigningKeys, purpose: string): Buffer {
  return derive(keys[0], purpose);
}

/** The same of every key, for what outlives a rotation: the first marks, all recognise. */
export function deriveSecrets(keys: SigningKeys, purpose: string): readonly [Buffer, ...Buffer[]] {
  return [derive(keys[0], purpose), ...keys.slice(1).map((key) => derive(key, purpose))];
}

async function readList(place: KeyPlace): Promise<KeyList> {
  const file = await place.read(FILE);
  return parseKeys(file?.text ?? "", place.toTitle(FILE));
}

/** @throws SigningKeysError while there may be a process that doesn't sign with the newest key yet */
function requireSettled({ settlesInMs }: FoundKeys): void {
  if (settlesInMs > 0)
    throw new SigningKeysError(
      `The newest key is so new that not every process signs with it yet. Try again in ${Math.ceil(settlesInMs / 1000)} seconds.`,
    );
}

/**
 * Puts a new signing key first; the older ones still verify what they signed. Keys of a data folder count from the next start, those of
 * the database in all running processes, which sign with the new one once all of them know it.
 * @throws SigningKeysError
 */
export async function rotateKeys(place: KeyPlace, now: Date): Promise<{ kid: string; older: number }> {
  // Makes the first one where there is none, refuses a damaged file.
  requireSettled(await readSigningKeys(place));
  const keys = await readList(place);
  const key = buildKey(now);
  await place.replace(FILE, toText([key, ...keys]));
  return { kid: key.kid, older: keys.length };
}

/**
 * Takes every key but the newest out: what only they verify is over. `beforehand` is called with all of them, the newest first.
 * @throws SigningKeysError where there is none but the newest, and what `beforehand` throws
 */
export async function retireKeys<Answer>(
  place: KeyPlace,
  beforehand: (keys: SigningKeys) => Promise<Answer>,
): Promise<{ kid: string; retired: number; answer: Answer }> {
  const found = await readSigningKeys(place);
  const [newest, ...older] = await readList(place);
  if (!newest || older.length === 0)
    throw new SigningKeysError(
      "There is one key, and none older to take out. Make a new one first: npm run foyer -- rotate-keys",
    );
  requireSettled(found);
  const answer = await beforehand(found.keys);
  await place.replace(FILE, toText([newest]));
  return { kid: newest.kid, retired: older.length, answer };
}

/** When the newest key was made. @throws where it can't be read, or there is none */
export async function readKeyDate(place: KeyPlace): Promise<Date> {
  const [newest] = await readList(place);
  return new Date(newest?.created_at ?? Number.NaN);
}
