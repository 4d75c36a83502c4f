import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** 245 kB: of passwords that aren't on the list one in 12,000 is taken for one that is. */
const FILTER_BYTES = 245_000;
const HASHES = 14;

/**
 * How passwords are compared with words: as typed on any keyboard, in any case. Turkish keyboards have i twice, with its dot and without;
 * a small İ is an i with a dot of its own behind it.
 */
export function foldPassword(password: string): string {
  return password.normalize("NFKC").toLowerCase().replaceAll("i\u0307", "i").replaceAll("ı", "i");
}

/** The bits of a word: two halves of its SHA-256, added up (Kirsch and Mitzenmacher). */
function* toBits(word: string): Generator<number> {
  const digest = createHash("sha256").update(word).digest();
  const start = digest.readBigUInt64LE(0);
  const step = digest.readBigUInt64LE(8);
  for (let hash = 0n; hash < HASHES; hash++)
    yield Number(BigInt.asUintN(64, start + hash * step) % BigInt(FILTER_BYTES * 8));
}

/** A Bloom filter of words, which are folded first. */
export function createFilter(words: Iterable<string>): Buffer {
  const filter = Buffer.alloc(FILTER_BYTES);
  for (const word of words) {
    for (const bit of toBits(foldPassword(word)))
      filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
  return filter;
}

/** Reads the filter of the 100,000 commonest passwords, which `npm run common-passwords` writes. */
export function readCommonPasswords(): (password: string) => boolean {
  const filter = readFileSync(new URL("./common-passwords.bin", import.meta.url));
  if (filter.length !== FILTER_BYTES)
    throw new Error("common-passwords.bin is not the filter that this version reads.");
  return (password) =>
    [...toBits(foldPassword(password))].every((bit) => ((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0);
}
