import * as z from "zod";
import { fill, MAIL_TEXTS, toPageAddress, toPersonVars } from "../content.ts";
import { defineMail, ofPerson } from "../kind.ts";

const values = z.object(ofPerson);

declare module "../kind.ts" {
  interface MailValues {
    account_exists: z.infer<typeof values>;
  }
}

/** Somebody registered, or wants to move, to an address that has an account already: its owner is notified. */
export const kind = defineMail({
  name: "account_exists",
  values,
  build(mail, site) {
    const texts = MAIL_TEXTS[mail.language].account_exists;
    const vars = toPersonVars(mail, site);
    return {
      subject: fill(texts.subject, vars),
      title: texts.title,
      blocks: [
        { kind: "paragraph", text: fill(texts.text, vars) },
        { kind: "button", label: texts.button, url: toPageAddress(site, mail.language, "/login") },
        { kind: "link", label: texts.forgot, url: toPageAddress(site, mail.language, "/forgot-password") },
        { kind: "paragraph", text: texts.otherwise, isQuiet: true },
      ],
    };
  },
});
