import * as z from "zod";
import { fill, MAIL_TEXTS, toMomentText, toPageAddress, toPersonVars } from "../content.ts";
import { defineMail, ofPerson } from "../kind.ts";

const values = z.object({ ...ofPerson, at: z.string() });

declare module "../kind.ts" {
  interface MailValues {
    password_changed: z.infer<typeof values>;
  }
}

/** To whose password was changed, whoever did it. */
export const kind = defineMail({
  name: "password_changed",
  values,
  build(mail, site) {
    const { facts, password_changed: texts } = MAIL_TEXTS[mail.language];
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
          ],
        },
        { kind: "paragraph", text: texts.otherwise },
        { kind: "button", label: texts.button, url: toPageAddress(site, mail.language, "/forgot-password") },
      ],
    };
  },
});
