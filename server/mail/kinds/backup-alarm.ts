import * as z from "zod";
import { fill, MAIL_TEXTS, toSiteName } from "../content.ts";
import { defineMail } from "../kind.ts";

const values = z.object({
  what: z.enum(["backup", "copy", "rehearsal"]),
  /** `works`: after a mail that said it fails. */
  state: z.enum(["failed", "works"]),
  /** What the disk, the database or the other place said; empty where it works. */
  reason: z.string(),
});

declare module "../kind.ts" {
  interface MailValues {
    backup_alarm: z.infer<typeof values>;
  }
}

/** To the owner: backups fail, their copies or a rehearsed restore do; once for each fault, and once when it is over. */
export const kind = defineMail({
  name: "backup_alarm",
  values,
  build(mail, site) {
    const texts = MAIL_TEXTS[mail.language].backup_alarm;
    const { subject, title, text } = texts[`${mail.what}_${mail.state}`];
    return {
      subject: fill(subject, { site: toSiteName(site, mail.language) }),
      title,
      blocks: [
        { kind: "paragraph", text },
        ...(mail.state === "failed"
          ? [{ kind: "facts", facts: [[texts.reason, mail.reason]] } as const]
          : []),
        { kind: "button", label: texts.button, url: `${site.origin}/admin/health` },
        ...(mail.state === "failed" ? [{ kind: "paragraph", text: texts.once, isQuiet: true } as const] : []),
      ],
    };
  },
});
