import * as z from "zod";
import { fill, MAIL_TEXTS, toLine, toMomentText, toSiteName } from "../content.ts";
import { defineMail } from "../kind.ts";

const values = z.object({
  /** Whose account the address belongs to. */
  userId: z.optional(z.number()),
  /** What happened, in the mail's language. */
  title: z.string(),
  text: z.string(),
  at: z.string(),
  /** Who did it; empty: nobody who is known. */
  by: z.string(),
  /** Empty: from none. */
  ipAddress: z.string(),
  /** How many more of the kind there are since the last mail; empty: none. */
  more: z.string(),
});

declare module "../kind.ts" {
  interface MailValues {
    security_alert: z.infer<typeof values>;
  }
}

/** To the owners: something that they are to know at once. At most one an hour of each kind and weight of alert, whoever sends it sees to that. */
export const kind = defineMail({
  name: "security_alert",
  values,
  // It names somebody else, of whom the outbox keeps nothing once the mail is done.
  hasForeignText: true,
  build(mail, site) {
    const { facts: names, security_alert: texts } = MAIL_TEXTS[mail.language];
    const title = toLine(mail.title);
    const more = toLine(mail.more);
    const facts = [
      [names.when, toMomentText(mail.at, mail.language)],
      [texts.by, toLine(mail.by)],
      [names.network, toLine(mail.ipAddress)],
    ] as const;
    return {
      subject: fill(texts.subject, { site: toSiteName(site, mail.language), title }),
      title,
      blocks: [
        { kind: "paragraph", text: toLine(mail.text) },
        { kind: "facts", facts: facts.filter(([, value]) => value !== "") },
        ...(more === "" ? [] : [{ kind: "paragraph", text: fill(texts.more, { more }) } as const]),
        { kind: "button", label: texts.button, url: `${site.origin}/admin/models/audit.alert` },
        { kind: "paragraph", text: texts.once, isQuiet: true },
      ],
    };
  },
});
