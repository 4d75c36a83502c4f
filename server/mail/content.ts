import type { Language } from "#contract/languages.ts";
import en from "#locales/en/mail.json" with { type: "json" };
import tr from "#locales/tr/mail.json" with { type: "json" };

/** One thing in a mail, drawn as text and as HTML. */
export type Block =
  | { kind: "paragraph"; text: string; isQuiet?: boolean }
  | { kind: "code"; code: string }
  | { kind: "facts"; facts: readonly (readonly [name: string, value: string])[] }
  /** What somebody wrote, lines and all. */
  | { kind: "quote"; text: string }
  | { kind: "button"; label: string; url: string }
  | { kind: "link"; label: string; url: string };

/** A mail before it is drawn. Its strings are plain text: the drawing escapes them. */
export interface MailContent {
  subject: string;
  title: string;
  blocks: readonly Block[];
  replyTo?: { name: string; address: string };
  /** The text of the link that stops such mails; undefined where they can't be stopped. */
  stopLabel?: string;
}

/** What could break a line, hide text or turn its direction round. What joins the parts of an emoji is not in it. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/**
 * Somebody's text as a part of one line: of a subject, a name, a sentence. `=?` would begin an encoded word (RFC 2047), in which
 * anything can stand that was taken out here.
 */
export function toLine(text: string): string {
  return text.toWellFormed().replace(UNSEEN, " ").replace(/\s+/g, " ").trim().replaceAll("=?", "= ?");
}

/** Somebody's text line by line, as it was set out. */
export function toLines(text: string): string[] {
  return text
    .split(/\r\n?|\n/)
    .map((line) => line.toWellFormed().replace(UNSEEN, (signs) => signs.replace(/[^\t]/gu, "")));
}

/** Texts of mails, by language. */
export const MAIL_TEXTS: Readonly<Record<Language, typeof en>> = { en, tr };

/** Puts values into the `{{slots}}` of a text. Values are shown in one line. */
export function fill(text: string, vars: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (slot, name: string) => String(vars[name] ?? slot));
}

/** An ISO moment in words, with its time zone: whoever reads it may be anywhere. */
export function toMomentText(moment: string, lang: Language): string {
  const format = new Intl.DateTimeFormat(lang, {
    dateStyle: "long",
    timeStyle: "short",
    hourCycle: "h23",
    timeZone: "UTC",
  });
  return `${format.format(new Date(moment))} UTC`;
}

/**
 * What a mail says of its site. `name` is whose site it is, perhaps empty; `origin` has no trailing slash; `stopUrl` is that of
 * this message.
 */
export interface MailSite {
  name: string;
  origin: string;
  stopUrl: string;
  words: MailWords;
  /** The owner's colour, `#rrggbb`; mails show what can be read of it. */
  accent: string;
}

/** What mails say in the owner's words, in the mail's language; empty: the product's own. */
export interface MailWords {
  /** Begins every mail. */
  greeting: string;
  /** Lines at the foot of every mail. */
  signature: string;
  /** What a receipt of a contact message says. */
  receipt: string;
}

/** A text of the owner's in paragraphs: an empty line or a new one begins another. */
export function toParagraphs(text: string): Block[] {
  return toLines(text)
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => ({ kind: "paragraph", text: line }));
}

export function toHost({ origin }: Pick<MailSite, "origin">): string {
  return new URL(origin).host;
}

/** A number, or this very machine: nothing that shows a reader whose site it is. */
const NAMELESS_HOST = /^([\d.]+|\[.*\]|localhost)$/;

/** How sentences call the site: by its host, which people can compare with the address bar, else as that of its owner. */
export function toSiteName(site: MailSite, language: Language): string {
  const name = toLine(site.name);
  const isNameless = NAMELESS_HOST.test(new URL(site.origin).hostname);
  return isNameless && name ? fill(MAIL_TEXTS[language].layout.siteOf, { name }) : toHost(site);
}

/** A page in the language of the mail. */
export function toPageAddress(
  { origin }: Pick<MailSite, "origin">,
  language: Language,
  path: string,
): string {
  return `${origin}/${language}${path}`;
}

/** What texts about somebody's account say of it. */
export function toPersonVars(
  mail: { username: string; recipient: string; language: Language },
  site: MailSite,
): { site: string; username: string; address: string } {
  return {
    site: toSiteName(site, mail.language),
    username: toLine(mail.username),
    address: toLine(mail.recipient),
  };
}
