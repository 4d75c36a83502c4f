import * as z from "zod";
import { FACTOR_CHANGES } from "#contract/accounts/second-factor.ts";
import { fill, MAIL_TEXTS, toMomentText, toPageAddress, toPersonVars } from "../content.ts";
import { defineMail, ofPerson } from "../kind.ts";

const values = z.object({ ...ofPerson, at: z.string(), change: z.enum(FACTOR_CHANGES) });

declare module "../kind.ts" {
  interface MailValues {
    second_factor_changed: z.infer<typeof values>;
  }
}

/** To whose second factors were changed, whoever did it. */
export const kind = defineMail({
  name: "second_factor_changed",
  values,
  build(mail, site) {
    const { facts, second_factor_changed: texts } = MAIL_TEXTS[mail.language];
    const vars = toPersonVars(mail, site);
    return {
      subject: fill(texts.subject, vars),
      title: texts.title,
      blocks: [
        { kind: "paragraph", text: texts.changes[mail.change] },
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
