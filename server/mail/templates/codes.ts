import { LIMITS } from "#contract/limits.ts";
import type { OutgoingMail } from "../outgoing-mail.ts";
import { type Block, type MailContent, toLine } from "./content.ts";
import { type MailSite, toPageAddress, toSiteName } from "./mail-site.ts";
import { fill, MAIL_TEXTS } from "./mail-text.ts";

type CodeMail = Extract<OutgoingMail, { code: string }>;

/** Where a code can be entered, should the page that asked for it be closed. The others are only good where they were asked for. */
function toWay(mail: CodeMail, site: MailSite): Block[] {
  if (mail.kind !== "verification_code") return [];
  const url = toPageAddress(site, mail.language, `/verify-email?email=${encodeURIComponent(mail.recipient)}`);
  return [{ kind: "button", label: MAIL_TEXTS[mail.language].verification_code.button, url }];
}

/** A mail with a code. It begins the subject too: phones show it, and offer it to the page that waits for it. */
export function buildCodeMail(mail: CodeMail, site: MailSite): MailContent {
  const { code, language } = mail;
  const all = MAIL_TEXTS[language];
  const texts = all[mail.kind];
  const vars = {
    code,
    site: toSiteName(site, language),
    username: toLine(mail.username),
    address: toLine(mail.recipient),
    minutes: LIMITS.codeLifetimeS / 60,
  };
  return {
    subject: fill(texts.subject, vars),
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: fill(texts.text, vars) },
      { kind: "code", code },
      { kind: "paragraph", text: fill(all.code.lifetime, vars) },
      ...toWay(mail, site),
      { kind: "paragraph", text: texts.otherwise, isQuiet: true },
      { kind: "paragraph", text: fill(all.code.secret, vars), isQuiet: true },
    ],
  };
}
