import type { OutgoingMail } from "./outgoing-mail.ts";
import { buildCodeMail } from "./templates/codes.ts";
import { buildContactAcknowledgement, buildContactMessage } from "./templates/contact.ts";
import { type MailContent, toLine } from "./templates/content.ts";
import { drawHtml } from "./templates/draw-html.ts";
import { drawText } from "./templates/draw-text.ts";
import { type MailSite, toHost } from "./templates/mail-site.ts";
import { MAIL_TEXTS } from "./templates/mail-text.ts";
import {
  buildAccountExists,
  buildAccountMade,
  buildAddressChanged,
  buildNewSignIn,
  buildPasswordChanged,
  buildTest,
} from "./templates/notices.ts";
import { buildRoomEntered } from "./templates/rooms.ts";

export type { MailSite };

/** A mail as a transport takes it. `canStop`: it carries the link and the headers that stop such mails. */
export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
  replyTo?: { name: string; address: string };
  canStop: boolean;
}

function buildContent(mail: OutgoingMail, site: MailSite): MailContent {
  switch (mail.kind) {
    case "verification_code":
    case "change_email_code":
    case "password_reset":
      return buildCodeMail(mail, site);
    case "account_exists":
      return buildAccountExists(mail, site);
    case "account_made":
      return buildAccountMade(mail, site);
    case "new_sign_in":
      return buildNewSignIn(mail, site);
    case "address_changed":
      return buildAddressChanged(mail, site);
    case "password_changed":
      return buildPasswordChanged(mail, site);
    case "room_entered":
      return buildRoomEntered(mail, site);
    case "contact_message":
      return buildContactMessage(mail, site);
    case "contact_acknowledgement":
      return buildContactAcknowledgement(mail, site);
    case "test":
      return buildTest(mail, site);
  }
}

/** Whose site it is that sends. */
function toFoot({ language }: OutgoingMail, site: MailSite): string {
  const sender = [toLine(site.name), toHost(site)].filter(Boolean).join(" · ");
  return `${sender}\n${MAIL_TEXTS[language].layout.automatic}`;
}

/** Writes a mail in its language, as text and as HTML. Its subject is one line, whoever's words are in it. */
export function composeMail(mail: OutgoingMail, site: MailSite): ComposedMail {
  const content = buildContent(mail, site);
  const foot = toFoot(mail, site);
  return {
    subject: toLine(content.subject),
    text: drawText(content, site, foot),
    html: drawHtml(content, site, foot, mail.language),
    canStop: content.stopLabel !== undefined,
    ...(content.replyTo && { replyTo: content.replyTo }),
  };
}
