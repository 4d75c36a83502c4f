import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import { LIMITS } from "#contract/limits.ts";
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
