import * as z from "zod";
import { fill, MAIL_TEXTS, toLine, toMomentText, toPageAddress, toPersonVars } from "../content.ts";
import { defineMail, ofPerson } from "../kind.ts";

const values = z.object({ ...ofPerson, device: z.string(), ipAddress: z.string(), at: z.string() });

declare module "../kind.ts" {
  interface MailValues {
    new_sign_in: z.infer<typeof values>;
  }
}

/** The way out leads to the reset by mail, because whoever sits there may have changed what the profile needs. */
export const kind = defineMail({
  name: "new_sign_in",
  values,
  build(mail, site) {
    const { facts, new_sign_in: texts } = MAIL_TEXTS[mail.language];
    const vars = toPersonVars(mail, site);
    return {
      subject: fill(texts.subject, vars),
      title: texts.title,
      blocks: [
        { kind: "paragraph", text: texts.text },
        {
          kind: "facts",
          facts: [
            [facts.account, vars.username],
            [facts.when, toMomentText(mail.at, mail.language)],
            [facts.device, toLine(mail.device) || facts.unknownDevice],
            [facts.network, toLine(mail.ipAddress)],
          ],
        },
        { kind: "paragraph", text: texts.fine },
        { kind: "paragraph", text: texts.otherwise },
        { kind: "button", label: texts.button, url: toPageAddress(site, mail.language, "/forgot-password") },
        { kind: "link", label: texts.preferences, url: toPageAddress(site, mail.language, "/profile") },
      ],
    };
  },
});
