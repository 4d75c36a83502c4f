import * as z from "zod";
import { fill, MAIL_TEXTS, toLine, toSiteName } from "../content.ts";
import { defineMail } from "../kind.ts";

declare module "../kind.ts" {
  interface MailValues {
    test: object;
  }
}

/** `foyer mail test`. */
export const kind = defineMail({
  name: "test",
  values: z.object({}),
  build(mail, site) {
    const texts = MAIL_TEXTS[mail.language].test;
    return {
      subject: fill(texts.subject, { site: toSiteName(site, mail.language) }),
      title: texts.title,
      blocks: [
        { kind: "paragraph", text: fill(texts.text, { address: toLine(mail.recipient) }) },
        { kind: "button", label: texts.button, url: site.origin },
      ],
    };
  },
});
