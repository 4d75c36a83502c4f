import type { WindowCounter } from "#server/base/limits.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { MailService, OwnAddress } from "#server/mail/service.ts";
import type { PictureService } from "#server/pictures/service.ts";
import type { AccountParts } from "../deps.ts";
import type { UploadGate } from "./upload-gate.ts";

/** What the calls of the profile work with. */
export interface ProfileParts {
  accounts: AccountParts;
  portraits: PictureService["portraits"];
  mail: Pick<MailService, "forgetPerson">;
  /** Whether mail reaches a person, and what they may do about it. */
  ownAddress: OwnAddress;
  /** Removes the files of mails whose person was taken out, where mails are files. */
  deleteForgottenMailFiles: () => Promise<void>;
  /** What voice rooms keep of a person: they know accounts, and accounts do not know them. */
  collectVoiceData: (db: Queryable, userId: number) => Promise<object>;
  limits: Readonly<Record<"uploads" | "exports" | "addressChanges", WindowCounter>>;
  uploadGate: UploadGate;
}
