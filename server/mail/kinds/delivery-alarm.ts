import * as z from "zod";
import { fill, MAIL_TEXTS, toSiteName } from "../content.ts";
import { defineMail } from "../kind.ts";

/** Numbers as texts: the outbox keeps no others. Empty where no alarm of that kind stands. */
const values = z.object({
  /** Whose account the address belongs to. */
  userId: z.optional(z.number()),
  bounces: z.string(),
  bouncesTotal: z.string(),
  bouncesDays: z.string(),
  complaints: z.string(),
  complaintsTotal: z.string(),
  complaintsDays: z.string(),
  /** `yes`: mail that people can do without waits. */
  holds: z.enum(["yes", "no"]),
});

declare module "../kind.ts" {
  interface MailValues {
    delivery_alarm: z.infer<typeof values>;
  }
}

/** To the owner and to staff: too much mail comes back or is complained of. Nothing holds it, and an address gets one a day. */
export const kind = defineMail({
  name: "delivery_alarm",
  values,
  isOncePerDay: true,
  build(mail, site) {
    const texts = MAIL_TEXTS[mail.language].delivery_alarm;
    const ofMails = (count: string, total: string, days: string) =>
      fill(texts.ofMails, { count, total, days });
    const facts = [
      [texts.bounces, ofMails(mail.bounces, mail.bouncesTotal, mail.bouncesDays)],
      [texts.complaints, ofMails(mail.complaints, mail.complaintsTotal, mail.complaintsDays)],
    ] as const;
    const stands = [mail.bounces !== "", mail.complaints !== ""];
    return {
      subject: fill(texts.subject, { site: toSiteName(site, mail.language) }),
      title: texts.title,
      blocks: [
        { kind: "paragraph", text: texts.text },
        { kind: "facts", facts: facts.filter((_, index) => stands[index]) },
        ...(mail.holds === "yes" ? [{ kind: "paragraph", text: texts.holds } as const] : []),
        { kind: "button", label: texts.button, url: `${site.origin}/admin/email-monitoring` },
        { kind: "paragraph", text: texts.once, isQuiet: true },
      ],
    };
  },
});
