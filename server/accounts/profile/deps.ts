import type { Counter, OpenCounter } from "#server/base/counters.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { MailService, OwnAddress } from "#server/mail/service.ts";
import type { PictureService } from "#server/pictures/service.ts";
import type { AccountDeps } from "../deps.ts";

/** What the calls of the profile work with. */
export interface ProfileDeps {
  accounts: AccountDeps;
  portraits: PictureService["portraits"];
  mail: Pick<MailService, "forgetPerson">;
  /** Whether mail reaches a person, and what they may do about it. */
  ownAddress: OwnAddress;
  /** Removes the files of mails whose person was taken out, where mails are files. */
  deleteForgottenMailFiles: () => Promise<void>;
  /** What voice rooms keep of a person: they know accounts, and accounts do not know them. */
  collectVoiceData: (db: Queryable, userId: number) => Promise<object>;
  limits: Readonly<Record<"uploads" | "exports" | "addressChanges", Counter>>;
  uploadGate: UploadGate;
}

/** What the console's writes of accounts work with. */
export type AdminDeps = Pick<ProfileDeps, "accounts" | "portraits" | "mail" | "deleteForgottenMailFiles">;

const HOUR_MS = 60 * 60 * 1000;
/** By person: drawing a picture and packing an export cost a second each. */
const UPLOADS = { max: 20, windowMs: HOUR_MS };
const EXPORTS = { max: 10, windowMs: HOUR_MS };
/** Each sends a mail to whoever's address was typed. */
const ADDRESS_CHANGES = { max: 5, windowMs: HOUR_MS };

export function createProfileLimits(openCounter: OpenCounter): ProfileDeps["limits"] {
  return {
    uploads: openCounter("profile.uploads", UPLOADS),
    exports: openCounter("profile.exports", EXPORTS),
    addressChanges: openCounter("profile.address_changes", ADDRESS_CHANGES),
  };
}

/** Each holds two pictures of 8 MB in memory at the most, twice for a moment. */
const MAX_AT_ONCE = 6;
const RETRY_AFTER_S = 5;

/** Lets in one upload of a person at a time, and few of all people. */
interface UploadGate {
  /** @throws AppError too_many_requests before `work` begins. */
  pass<Answer>(userId: number, work: () => Promise<Answer>): Promise<Answer>;
}

export function createUploadGate(): UploadGate {
  const inside = new Set<number>();
  return {
    async pass(userId, work) {
      if (inside.has(userId) || inside.size >= MAX_AT_ONCE)
        throw new AppError("too_many_requests", { retryAfterS: RETRY_AFTER_S });
      inside.add(userId);
      try {
        return await work();
      } finally {
        inside.delete(userId);
      }
    },
  };
}
