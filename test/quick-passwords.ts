import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import type { Passwords } from "#server/accounts/passwords/hashing.ts";

/** The least work that Argon2id does: what a hash costs is tested in server/accounts/passwords/hashing.test.ts and server/accounts/sign-in. */
const CHEAP = { algorithm: 2, memoryCost: 8, timeCost: 1, parallelism: 1 } as const;

const toHashed = (password: string) => password.normalize("NFKC");
const nothing = hash(randomBytes(32), CHEAP);

/** Real hashing that takes no time. */
export const QUICK_PASSWORDS: Passwords = {
  hash: (password) => hash(toHashed(password), CHEAP),
  verify: (kept, password) => verify(kept, toHashed(password)),
  async verifyAgainstNothing(password) {
    await verify(await nothing, toHashed(password));
    return false;
  },
  isOutdated: () => false,
};
