import * as z from "zod";
import { fill, MAIL_TEXTS, toLine, toMomentText, toPageAddress, toPersonVars } from "../content.ts";
import { defineMail, ofPerson } from "../kind.ts";

const values = z.object({ ...ofPerson, newAddress: z.string(), at: z.string() });

declare module "../kind.ts" {
  interface MailValues {
    address_changed: z.infer<typeof values>;
  }
}

/** To the address before. It opens nothing any more, so the owner of the site is whom to ask. */
export const kind = defineMail({
  name: "address_changed",
  values,
  build(mail, site) {
    const { facts, address_changed: texts } = MAIL_TEXTS[mail.language];
    const vars = toPersonVars(mail, site);
    return {
      subject: fill(texts.subject, vars),
      title: texts.title,
      blocks: [
        { kind: "paragraph", text: fill(texts.text, vars) },
        {
          kind: "facts",
          facts: [
            [facts.account, vars.username],
            [facts.address, toLine(mail.newAddress)],
            [facts.when, toMomentText(mail.at, mail.language)],
          ],
        },
        { kind: "paragraph", text: texts.otherwise },
        { kind: "button", label: texts.button, url: toPageAddress(site, mail.language, "/contact") },
      ],
    };
  },
});
