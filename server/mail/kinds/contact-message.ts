import * as z from "zod";
import { fill, MAIL_TEXTS, type MailContent, toLine, toSiteName } from "../content.ts";
import { defineMail } from "../kind.ts";

const values = z.object({
  contactMessageId: z.number(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
});

declare module "../kind.ts" {
  interface MailValues {
    contact_message: z.infer<typeof values>;
  }
}

/** As a header carries it everywhere. Other addresses need a server that knows SMTPUTF8; they stand in the text alone. */
function toReplyTo(name: string, email: string): MailContent["replyTo"] {
  return /^[\x21-\x7e]+$/.test(email) ? { name, address: email } : undefined;
}

/** To the owner of the site. An answer goes to the visitor. */
export const kind = defineMail({
  name: "contact_message",
  values,
  hasForeignText: true,
  build(mail, site) {
    const { facts, contact_message: texts } = MAIL_TEXTS[mail.language];
    const [name, email, subject] = [toLine(mail.name), toLine(mail.email), toLine(mail.subject)];
    const replyTo = toReplyTo(name, email);
    return {
      subject: fill(texts.subject, { name, subject }),
      title: texts.title,
      ...(replyTo && { replyTo }),
      blocks: [
        { kind: "paragraph", text: fill(texts.text, { name, site: toSiteName(site, mail.language) }) },
        {
          kind: "facts",
          facts: [
            [facts.name, name],
            [facts.email, email],
            [facts.subject, subject],
          ],
        },
        { kind: "quote", text: mail.message },
        {
          kind: "button",
          label: texts.button,
          url: `${site.origin}/admin/models/contact.message/objects/${mail.contactMessageId}`,
        },
      ],
    };
  },
});
