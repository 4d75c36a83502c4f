import { LIMITS } from "#contract/limits.ts";
import type { Block, MailContent } from "../content.ts";
import type { OutgoingMail } from "../kind.ts";
import { type MailSite, toPersonVars } from "./mail-site.ts";
import { fill, MAIL_TEXTS } from "./mail-text.ts";

type CodeMail = OutgoingMail<"verification_code" | "change_email_code" | "password_reset">;

/**
 * A mail with a code. It begins the subject too: phones show it, and offer it to the page that waits for it. `way`: where it can
 * be entered; codes without one are good only where they were asked for.
 */
export function buildCodeMail(mail: CodeMail, site: MailSite, way?: Block): MailContent {
  const { code, language } = mail;
  const all = MAIL_TEXTS[language];
  const texts = all[mail.kind];
  const vars = {
    ...toPersonVars(mail, site),
    code,
    minutes: LIMITS.codeLifetimeS / 60,
  };
  return {
    subject: fill(texts.subject, vars),
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: fill(texts.text, vars) },
      { kind: "code", code },
      { kind: "paragraph", text: fill(all.code.lifetime, vars) },
      ...(way ? [way] : []),
      { kind: "paragraph", text: texts.otherwise, isQuiet: true },
      { kind: "paragraph", text: fill(all.code.secret, vars), isQuiet: true },
    ],
  };
}
