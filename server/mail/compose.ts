import { toLine } from "./content.ts";
import type { OutgoingMail } from "./kind.ts";
import { getMailKind } from "./kinds.ts";
import { drawHtml } from "./templates/draw-html.ts";
import { drawText } from "./templates/draw-text.ts";
import { type MailSite, toHost } from "./templates/mail-site.ts";
import { MAIL_TEXTS } from "./templates/mail-text.ts";

export type { MailSite };

/** A mail as a transport takes it. `canStop`: it carries the link and the headers that stop such mails. */
export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
  replyTo?: { name: string; address: string };
  canStop: boolean;
}

/** Whose site it is that sends. */
function toFoot({ language }: OutgoingMail, site: MailSite): string {
  const sender = [toLine(site.name), toHost(site)].filter(Boolean).join(" · ");
  return `${sender}\n${MAIL_TEXTS[language].layout.automatic}`;
}

/** Writes a mail in its language, as text and as HTML. Its subject is one line, whoever's words are in it. */
export function composeMail(mail: OutgoingMail, site: MailSite): ComposedMail {
  const content = getMailKind(mail).build(mail, site);
  const foot = toFoot(mail, site);
  return {
    subject: toLine(content.subject),
    text: drawText(content, site, foot),
    html: drawHtml(content, site, foot, mail.language),
    canStop: content.stopLabel !== undefined,
    ...(content.replyTo && { replyTo: content.replyTo }),
  };
}
