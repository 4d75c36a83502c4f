import * as z from "zod";
import type { Language } from "#contract/languages.ts";
import { LIMITS } from "#contract/limits.ts";
import { type Block, fill, MAIL_TEXTS, type MailContent, type MailSite, toPersonVars } from "./content.ts";

/** The values of each kind of mail, by its name: every file of `kinds/` adds its own. */
// biome-ignore lint/suspicious/noEmptyInterface: each file of kinds/ adds a property by module augmentation.
export interface MailValues {}

export type MailName = keyof MailValues;

/** A mail of one kind that somebody causes. Moments (`at`, `expiresAt`) are ISO text. */
export type OutgoingMail<Name extends MailName = MailName> = {
  [Each in Name]: { kind: Each; recipient: string; language: Language } & MailValues[Each];
}[Name];

/** Values that columns of the outbox hold; a template's own are kept in `vars`. Code and proof are encrypted and kept nowhere else. */
export interface ColumnValues {
  code?: string;
  proof?: string;
  expiresAt?: string;
  userId?: number;
  contactMessageId?: number;
}

/** What one kind of mail is. Its label stands with its texts, in `locales/<language>/mail.json`. */
export interface MailKind<Name extends MailName = MailName> {
  name: Name;
  /** The values of such a mail beside recipient and language, as the outbox gives them back. */
  values: z.ZodType<MailValues[Name]>;
  /** The person can do without it: a suppression of scope `optional` stops it, and it carries the link that makes one. */
  isOptional?: boolean;
  /** It holds somebody's own words, of which the outbox keeps no copy once the mail is done. */
  hasForeignText?: boolean;
  /** An address gets at most one a day. */
  isOncePerDay?: boolean;
  /** Sent to learn whether a report comes back: no figure counts it, and what comes back makes no bounce and stops no mail. */
  isTrial?: boolean;
  build(mail: OutgoingMail<Name>, site: MailSite): MailContent;
}

/** Ties a kind to the values that its file adds to `MailValues`. */
export function defineMail<Name extends MailName>(kind: MailKind<Name>): MailKind<Name> {
  return kind;
}

/** Values of a mail about somebody's account. */
export const ofPerson = { userId: z.number(), username: z.string() };

/** Values of a mail that brings a code. `proof`: the secret of its link; mails from before it have none. */
export const withCode = {
  ...ofPerson,
  code: z.string(),
  proof: z.optional(z.string()),
  expiresAt: z.string(),
};

/** What a link says behind `#`, which no server and no log gets to see. */
export function toMailHash({ recipient, proof }: { recipient: string; proof?: string | undefined }): string {
  return new URLSearchParams({ email: recipient, ...(proof && { proof }) }).toString();
}

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
