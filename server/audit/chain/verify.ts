import type { Queryable } from "#server/db/pool.ts";
import { type Mark, toMissingEnd } from "./mark.ts";
import { hashSeal, isSame, NO_SEAL, signGone, signSeal } from "./signature.ts";
import {
  countEntries,
  readContent,
  readListing,
  type Seal,
  selectFalseErasures,
  selectSeals,
} from "./store.ts";

export interface ChainReport {
  seals: number;
  /** Entries that were read again and compared. */
  entries: number;
  /** Seals of which the retention took every entry. */
  retired: number;
  erased: number;
  /** Written since the newest seal. */
  unsealed: number;
  newest: Mark | undefined;
  /** What is wrong, in plain words, the first first; empty: nothing. */
  faults: string[];
}

const SEALS_PER_READ = 50;
const FAULTS_MAX = 20;
/** Hex digits of a number and of its mark in a listing. */
const ID_DIGITS = 16;
const LINE_DIGITS = 32;

function parseListing(hex: string): Map<string, string> {
  const lines = new Map<string, string>();
  for (let at = 0; at < hex.length; at += LINE_DIGITS)
    lines.set(
      String(BigInt.asIntN(64, BigInt(`0x${hex.slice(at, at + ID_DIGITS)}`))),
      hex.slice(at + ID_DIGITS, at + LINE_DIGITS),
    );
  return lines;
}

/** The entries in which a batch differs from what was sealed. */
async function nameEntries(db: Queryable, seal: Seal, listing: string): Promise<string[]> {
  const sealed = parseListing(await readListing(db, seal.id));
  const found = parseListing(listing);
  const faults: string[] = [];
  for (const [id, mark] of sealed) {
    const there = found.get(id);
    if (there === undefined)
      faults.push(`entry ${id} is missing: it was deleted after it was sealed (seal ${seal.id})`);
    else if (there !== mark) faults.push(`entry ${id} was changed after it was sealed (seal ${seal.id})`);
  }
  for (const id of found.keys())
    if (!sealed.has(id)) faults.push(`entry ${id} was added after its place was sealed (seal ${seal.id})`);
  return faults.length > 0 ? faults : [`seal ${seal.id} says something else than its entries`];
}

function findSealFaults(seal: Seal, key: Buffer): string[] {
  const { id, hash, gone } = seal;
  if (hashSeal(seal) !== hash) return [`seal ${id} was changed: its hash is not that of what it says`];
  if (!isSame(signSeal(key, hash), seal.signature))
    return [`seal ${id} was not signed with the key of this data folder (keys/audit-chain.key)`];
  if (gone !== null && !isSame(signGone(key, hash, gone), seal.gone_signature ?? ""))
    return [`seal ${id} says that the retention took entries, and the retention did not sign that`];
  return [];
}

function findLinkFaults(seal: Seal, before: Seal | undefined): string[] {
  const expected = String(BigInt(before?.id ?? 0) + 1n);
  if (seal.id !== expected) return [`seal ${expected} is missing: the next one is ${seal.id}`];
  if (seal.previous_hash !== (before?.hash ?? NO_SEAL) || (before && seal.after_entry !== before.last_entry))
    return [`seal ${seal.id} does not follow from seal ${before?.id ?? "0"}`];
  return [];
}

/** A retention or another writer of the seal may have come between two reads: what differs is read once more. */
async function checkContent(
  db: Queryable,
  seal: Seal,
  key: Buffer,
  isAgain = false,
): Promise<{ entries: number; faults: string[] }> {
  if (seal.gone === "all") return { entries: 0, faults: [] };
  const content = await readContent(db, seal, seal.gone);
  if (content.root === seal.root && content.entries === seal.entries)
    return { entries: content.entries, faults: [] };
  const [now] = await selectSeals(db, seal.id, 1);
  if (!isAgain && now?.id === seal.id && now.gone !== seal.gone && findSealFaults(now, key).length === 0)
    return checkContent(db, now, key, true);
  return { entries: content.entries, faults: await nameEntries(db, seal, content.listing) };
}

/**
 * Reads the whole chain and every sealed entry again. `expected`: a seal that is known to have been there, which finds a chain
 * whose end was cut off. Nothing is written, and nobody waits for it. `stop` ends it after the batch, or the count, at hand.
 */
export async function verifyChain(
  db: Queryable,
  key: Buffer,
  expected?: Mark,
  stop?: AbortSignal,
): Promise<ChainReport> {
  const faults: string[] = [];
  let before: Seal | undefined;
  let [seals, entries, retired] = [0, 0, 0];
  let isExpectedMet = expected === undefined;
  for (;;) {
    const page = await selectSeals(
      db,
      before ? String(BigInt(before.id) + 1n) : "-9223372036854775808",
      SEALS_PER_READ,
    );
    for (const seal of page) {
      stop?.throwIfAborted();
      const content = await checkContent(db, seal, key);
      faults.push(...findLinkFaults(seal, before), ...findSealFaults(seal, key), ...content.faults);
      seals++;
      entries += content.entries;
      if (seal.gone === "all") retired++;
      if (seal.id === expected?.id && seal.hash === expected.hash) isExpectedMet = true;
      before = seal;
    }
    if (page.length < SEALS_PER_READ || faults.length >= FAULTS_MAX) break;
  }
  if (expected && !isExpectedMet && faults.length < FAULTS_MAX) faults.push(toMissingEnd(expected.id));
  stop?.throwIfAborted();
  for (const id of await selectFalseErasures(db, FAULTS_MAX))
    faults.push(`entry ${id} is marked as erased and still says something: no erasure leaves that`);
  stop?.throwIfAborted();
  return {
    seals,
    entries,
    retired,
    ...(await countEntries(db)),
    newest: before && { id: before.id, hash: before.hash },
    faults: faults.slice(0, FAULTS_MAX),
  };
}
