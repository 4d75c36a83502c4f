import type { ContactChallenge } from "#contract/site/contact.ts";

/** Hashes under way at a time: enough that the browser's threads always have one, few enough that typing goes on. */
const BATCH = 64;

/** Browsers keep it from pages that came over plain HTTP from elsewhere than this machine. */
export function canWork(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

async function solvePuzzle(start: string, zeroBits: number): Promise<number> {
  const encoder = new TextEncoder();
  for (let first = 0; ; first += BATCH) {
    const digests = await Promise.all(
      Array.from({ length: BATCH }, (_, index) =>
        crypto.subtle.digest("SHA-256", encoder.encode(start + (first + index))),
      ),
    );
    const found = digests.findIndex((digest) => new DataView(digest).getUint32(0) >>> (32 - zeroBits) === 0);
    if (found >= 0) return first + found;
  }
}

/** Works a challenge off (contract/site/contact.ts says how it is made). Takes a part of a second; the page stays usable. */
export async function solve({ challenge, puzzles, zero_bits }: ContactChallenge): Promise<string> {
  const numbers: number[] = [];
  for (let puzzle = 0; puzzle < puzzles; puzzle += 1)
    numbers.push(await solvePuzzle(`${challenge}.${puzzle}.`, zero_bits));
  return numbers.join(".");
}
