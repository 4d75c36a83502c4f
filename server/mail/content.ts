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
