import type { MailService } from "#server/mail/service.ts";
import type { PictureService } from "#server/pictures/service.ts";
import type { AccountParts } from "../parts.ts";
import type { WindowCounter } from "../window-counter.ts";

/** What the calls of the profile work with. */
export interface ProfileParts {
  accounts: AccountParts;
  portraits: PictureService["portraits"];
  mail: Pick<MailService, "forgetPerson">;
  limits: Readonly<Record<"uploads" | "exports", WindowCounter>>;
}
