import * as z from "zod";
import { fill, MAIL_TEXTS, toHost, toLine, toParagraphs, toSiteName } from "../content.ts";
import { defineMail } from "../kind.ts";

const values = z.object({ contactMessageId: z.number() });

declare module "../kind.ts" {
  interface MailValues {
    contact_acknowledgement: z.infer<typeof values>;
  }
}

/**
 * To whoever's address stood in the form, which needn't be who wrote: nothing of what was typed is in it, so that the form
 * carries nobody's words to strangers, and an address gets one a day, whoever types it.
 */
export const kind = defineMail({
  name: "contact_acknowledgement",
  values,
  isOptional: true,
  isOncePerDay: true,
  build(mail, site) {
    const { layout, contact_acknowledgement: texts } = MAIL_TEXTS[mail.language];
    return {
      subject: fill(texts.subject, { owner: toLine(site.name) || toHost(site) }),
      title: texts.title,
      stopLabel: layout.stop,
      blocks: [
        ...toParagraphs(site.words.receipt || texts.text),
        { kind: "button", label: toSiteName(site, mail.language), url: site.origin },
        { kind: "paragraph", text: texts.otherwise, isQuiet: true },
      ],
    };
  },
});
