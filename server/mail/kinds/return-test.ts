import * as z from "zod";
import { fill, MAIL_TEXTS, toSiteName } from "../content.ts";
import { defineMail } from "../kind.ts";

declare module "../kind.ts" {
  interface MailValues {
    return_test: object;
  }
}

/** To an address that sends it back: staff want to see whether somebody reports it (`server/mail/sources`). */
export const kind = defineMail({
  name: "return_test",
  values: z.object({}),
  isTrial: true,
  build(mail, site) {
    const texts = MAIL_TEXTS[mail.language].return_test;
    return {
      subject: fill(texts.subject, { site: toSiteName(site, mail.language) }),
      title: texts.title,
      blocks: [{ kind: "paragraph", text: texts.text }],
    };
  },
});
