import * as z from "zod";
import { defineMail, withCode } from "../kind.ts";
import { buildCodeMail } from "../templates/codes.ts";
import { toPageAddress } from "../templates/mail-site.ts";
import { MAIL_TEXTS } from "../templates/mail-text.ts";

const values = z.object(withCode);

declare module "../kind.ts" {
  interface MailValues {
    verification_code: z.infer<typeof values>;
  }
}

/** To who registers. It says where the code can be entered, should the page that asked for it be closed. */
export const kind = defineMail({
  name: "verification_code",
  values,
  build: (mail, site) =>
    buildCodeMail(mail, site, {
      kind: "button",
      label: MAIL_TEXTS[mail.language].verification_code.button,
      url: toPageAddress(site, mail.language, `/verify-email?email=${encodeURIComponent(mail.recipient)}`),
    }),
});
