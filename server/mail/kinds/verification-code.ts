import * as z from "zod";
import { MAIL_TEXTS, toPageAddress } from "../content.ts";
import { buildCodeMail, defineMail, toMailHash, withCode } from "../kind.ts";

const values = z.object(withCode);

declare module "../kind.ts" {
  interface MailValues {
    verification_code: z.infer<typeof values>;
  }
}

/** To who registers. Its link proves the address in any browser, should the page that asked for the code be closed. */
export const kind = defineMail({
  name: "verification_code",
  values,
  build: (mail, site) =>
    buildCodeMail(mail, site, {
      kind: "button",
      label: MAIL_TEXTS[mail.language].verification_code.button,
      url: toPageAddress(site, mail.language, `/verify-email#${toMailHash(mail)}`),
    }),
});
