import * as z from "zod";
import { fill, MAIL_TEXTS, toPageAddress, toPersonVars } from "../content.ts";
import { defineMail, ofPerson } from "../kind.ts";

const values = z.object({ ...ofPerson, decision: z.enum(["approved", "refused"]) });

declare module "../kind.ts" {
  interface MailValues {
    registration_decided: z.infer<typeof values>;
  }
}

/**
 * To somebody who registered by approval: staff have let them in, or not. Then it says what is kept of them, and whom to ask to
 * have it deleted.
 */
export const kind = defineMail({
  name: "registration_decided",
  values,
  build(mail, site) {
    const texts = MAIL_TEXTS[mail.language].registration_decided;
    const vars = toPersonVars(mail, site);
    const toAddress = (path: string) => toPageAddress(site, mail.language, path);
    const { subject, title, text } = texts[mail.decision];
    return {
      subject: fill(subject, vars),
      title,
      blocks: [
        { kind: "paragraph", text: fill(text, vars) },
        ...(mail.decision === "approved"
          ? [{ kind: "button", label: texts.button, url: toAddress("/login") } as const]
          : [
              { kind: "paragraph", text: texts.kept } as const,
              { kind: "link", label: texts.contact, url: toAddress("/contact") } as const,
            ]),
      ],
    };
  },
});
