import * as z from "zod";
import { buildCodeMail, defineMail, withCode } from "../kind.ts";

const values = z.object(withCode);

declare module "../kind.ts" {
  interface MailValues {
    change_email_code: z.infer<typeof values>;
  }
}

/** To an address that somebody wants their account to move to. */
export const kind = defineMail({ name: "change_email_code", values, build: buildCodeMail });
