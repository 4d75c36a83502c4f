import * as z from "zod";
import { fill, MAIL_TEXTS, toPageAddress, toPersonVars } from "../content.ts";
import { defineMail, ofPerson } from "../kind.ts";

const values = z.object(ofPerson);

declare module "../kind.ts" {
  interface MailValues {
    account_made: z.infer<typeof values>;
  }
}

/**
 * To somebody for whom the console made an account: how to choose a password. The address is behind `#`, which no server and
 * no log gets to see.
 */
export const kind = defineMail({
  name: "account_made",
  values,
  build(mail, site) {
    const texts = MAIL_TEXTS[mail.language].account_made;
    const vars = toPersonVars(mail, site);
    const address = encodeURIComponent(mail.recipient);
    return {
      subject: fill(texts.subject, vars),
      title: texts.title,
      blocks: [
        { kind: "paragraph", text: fill(texts.text, vars) },
        { kind: "paragraph", text: fill(texts.how, vars) },
        {
          kind: "button",
          label: texts.button,
          url: toPageAddress(site, mail.language, `/forgot-password#email=${address}`),
        },
        { kind: "paragraph", text: texts.otherwise, isQuiet: true },
      ],
    };
  },
});
