import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type KeyPlace, openKeyFolder } from "#server/db/keys/key-place.ts";

/** The file of the key can't be used. The message is meant for the owner's terminal. */
export class ChainKeyError extends Error {
  override name = "ChainKeyError";
}

/** What a seal's hash is over. Numbers are strings, for those of the database may be larger than JavaScript's. */
export interface SealFacts {
  id: string;
  after_entry: string;
  last_entry: string;
  entries: number;
  root: string;
  /** SHA-256 of the listing, in hex. */
  listing_hash: string;
  previous_hash: string;
  /** Milliseconds since 1970. */
  sealed_ms: string;
}

/** What the first seal is tied to. */
export const NO_SEAL = "0".repeat(64);

export function hashSeal(seal: SealFacts): string {
  const { id, after_entry, last_entry, entries, root, listing_hash, previous_hash, sealed_ms } = seal;
  const text = JSON.stringify([
    "foyer seal 1",
    id,
    after_entry,
    last_entry,
    entries,
    root,
    listing_hash,
    previous_hash,
    sealed_ms,
  ]);
  return createHash("sha256").update(text).digest("hex");
}

const sign = (key: Buffer, purpose: string, text: string) =>
  createHmac("sha256", key).update(`${purpose}\n${text}`).digest("hex");

export const signSeal = (key: Buffer, hash: string) => sign(key, "seal", hash);

/** Of what the retention took from a sealed batch. */
export const signGone = (key: Buffer, hash: string, gone: string) => sign(key, "gone", `${hash}\n${gone}`);

/** Of what one process of the site leaves to the others in the database. */
export const signNote = (key: Buffer, text: string) => sign(key, "note", text);

export function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

const FILE = "audit-chain.key";

/**
 * Reads `audit-chain.key`, 32 random bytes in base64url; the first call makes it. It is apart from the keys that sign log-ins, which
 * are rotated: with another one no earlier seal is good.
 * @throws ChainKeyError when it is damaged.
 */
export async function readChainKey(place: KeyPlace): Promise<Buffer> {
  let file = await place.read(FILE);
  if (!file) {
    await place.create(FILE, `${randomBytes(32).toString("base64url")}\n`);
    file = await place.read(FILE);
  }
  const text = file?.text.trim() ?? "";
  if (!/^[\w-]{43}$/.test(text))
    throw new ChainKeyError(
      `${place.toTitle(FILE)} holds no key. Put it back from a backup: without it no seal of the audit log can be checked.`,
    );
  return Buffer.from(text, "base64url");
}

/** That of a data folder alone. */
export function loadChainKey(dataDir: string): Promise<Buffer> {
  return readChainKey(openKeyFolder(dataDir));
}
