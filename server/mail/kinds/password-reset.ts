import * as z from "zod";
import { buildCodeMail, defineMail, withCode } from "../kind.ts";

const values = z.object(withCode);

declare module "../kind.ts" {
  interface MailValues {
    password_reset: z.infer<typeof values>;
  }
}

/** To who forgot their password. */
export const kind = defineMail({ name: "password_reset", values, build: buildCodeMail });
