import type { OutgoingMail } from "../outgoing-mail.ts";
import { type MailContent, toLine } from "./content.ts";
import { type MailSite, toHost, toSiteName } from "./mail-site.ts";
import { fill, MAIL_TEXTS } from "./mail-text.ts";

type Mail<Kind extends OutgoingMail["kind"]> = Extract<OutgoingMail, { kind: Kind }>;

/** As a header carries it everywhere. Other addresses need a server that knows SMTPUTF8; they stand in the text alone. */
function toReplyTo(name: string, email: string): MailContent["replyTo"] {
  return /^[\x21-\x7e]+$/.test(email) ? { name, address: email } : undefined;
}

/** To the owner of the site. An answer goes to the visitor. */
export function buildContactMessage(mail: Mail<"contact_message">, site: MailSite): MailContent {
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
}

/**
 * To whoever's address stood in the form, which needn't be who wrote: nothing of what was typed is in it, so that the form
 * carries nobody's words to strangers.
 */
export function buildContactAcknowledgement(
  mail: Mail<"contact_acknowledgement">,
  site: MailSite,
): MailContent {
  const { layout, contact_acknowledgement: texts } = MAIL_TEXTS[mail.language];
  return {
    subject: fill(texts.subject, { owner: toLine(site.name) || toHost(site) }),
    title: texts.title,
    stopLabel: layout.stop,
    blocks: [
      { kind: "paragraph", text: texts.text },
      { kind: "button", label: toSiteName(site, mail.language), url: site.origin },
      { kind: "paragraph", text: texts.otherwise, isQuiet: true },
    ],
  };
}
