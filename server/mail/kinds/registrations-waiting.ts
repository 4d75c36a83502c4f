import * as z from "zod";
import { fill, MAIL_TEXTS, toSiteName } from "../content.ts";
import { defineMail } from "../kind.ts";

const values = z.object({
  /** Whose account the address belongs to. */
  userId: z.optional(z.number()),
  /** How many wait; a text, because the outbox keeps no other numbers. */
  count: z.string(),
});

declare module "../kind.ts" {
  interface MailValues {
    registrations_waiting: z.infer<typeof values>;
  }
}

/** To staff: people who registered wait for a decision. At most one an hour, whoever sends it sees to that. */
export const kind = defineMail({
  name: "registrations_waiting",
  values,
  isOptional: true,
  build(mail, site) {
    const texts = MAIL_TEXTS[mail.language].registrations_waiting;
    const vars = { count: mail.count, site: toSiteName(site, mail.language) };
    const { layout } = MAIL_TEXTS[mail.language];
    const isOne = mail.count === "1";
    return {
      subject: fill(isOne ? texts.subjectOne : texts.subject, vars),
      title: texts.title,
      stopLabel: layout.stop,
      blocks: [
        { kind: "paragraph", text: fill(isOne ? texts.one : texts.many, vars) },
        {
          kind: "button",
          label: texts.button,
          url: `${site.origin}/admin/users?filter=admission:exact:waiting`,
        },
        { kind: "paragraph", text: texts.once, isQuiet: true },
      ],
    };
  },
});
