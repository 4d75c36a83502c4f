import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { createWorkQueue } from "#server/base/limits.ts";

/**
 * OWASP Password Storage Cheat Sheet: Argon2id with at least 19 MiB, 2 passes, 1 lane (also the library's defaults; said
 * here so that an update can't change them). One hash takes 12 to 15 ms on the reference machine.
 */
const ARGON2ID = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashing runs on libuv's four threads, which files and DNS use too. One core stays free for the event loop:
 * on two cores one hash at a time was faster in all (66/s) than two (45/s) or four (45/s), and delayed the loop least.
 */
const MAX_RUNNING = Math.min(3, Math.max(1, availableParallelism() - 1));
const MAX_WAITING = 200;

/** How a hash says what it was made with. */
const PARAMETERS = `$argon2id$v=19$m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=${ARGON2ID.parallelism}$`;

/** Hashes passwords and compares them with their hashes, off the event loop and a few at a time. */
export interface Passwords {
  verify(passwordHash: string, password: string): Promise<boolean>;
  /** Takes as long as `verify` and is always false: for usernames that don't exist. */
  verifyAgainstNothing(password: string): Promise<false>;
  /** The hash to keep of a new password. @throws AppError unavailable when too many wait. */
  hash(password: string): Promise<string>;
  /** Whether a hash was made with other parameters than new ones are. */
  isOutdated(passwordHash: string): boolean;
}

/** The same letters typed on another keyboard may come composed otherwise (ş as one character or two). */
function toHashed(password: string): string {
  return password.normalize("NFKC");
}

/** The process's only one: the bound is for all who hash in it. */
const queue = createWorkQueue({ slots: MAX_RUNNING, maxWaiting: MAX_WAITING });

/** The hash to keep of a new password. @throws AppError unavailable when too many wait. */
export function hashPassword(password: string): Promise<string> {
  return queue.inSlot(() => hash(toHashed(password), ARGON2ID));
}

/** `compare` is for tests. */
export function createPasswords(compare: typeof verify = verify): Passwords {
  // Nobody knows this password. Computed ahead, so that the first unknown username takes no longer than others.
  const nothing = hash(randomBytes(32), ARGON2ID);
  return {
    verify: (passwordHash, password) => queue.inSlot(() => compare(passwordHash, toHashed(password))),
    async verifyAgainstNothing(password) {
      const nobody = await nothing;
      await queue.inSlot(() => compare(nobody, toHashed(password)));
      return false;
    },
    hash: hashPassword,
    isOutdated: (passwordHash) => !passwordHash.startsWith(PARAMETERS),
  };
}
