import * as z from "zod";
import { MAIL_TEXTS, toPageAddress } from "../content.ts";
import { buildCodeMail, defineMail, toMailHash, withCode } from "../kind.ts";

const values = z.object(withCode);

declare module "../kind.ts" {
  interface MailValues {
    password_reset: z.infer<typeof values>;
  }
}

/** To who forgot their password. The code is for the page that asked; the link is good in any browser, whatever others have typed. */
export const kind = defineMail({
  name: "password_reset",
  values,
  build: (mail, site) =>
    buildCodeMail(mail, site, {
      kind: "button",
      label: MAIL_TEXTS[mail.language].password_reset.button,
      url: toPageAddress(site, mail.language, `/forgot-password#${toMailHash(mail)}`),
    }),
});
