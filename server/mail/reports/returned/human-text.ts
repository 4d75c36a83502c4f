import { cleanDiagnostic } from "../clean-text.ts";
import { toAddress } from "./report-fields.ts";
import { RETURNED_LIMITS } from "./returned-mail.ts";

const MAX_LINES = 60;

/** Where the copy of a returned mail begins: a line that says so, or a header of a mail, quoted or not. */
const COPY_BEGINS =
  /^[>|\s]{0,20}(-{2,}.{0,40}\b(copy|original|returned|forwarded)\b|(return-path|received|message-id|subject|from|to|date|reply-to|mime-version|dkim-signature|content-type|list-unsubscribe|x-foyer-[\w-]+)\s?:)/i;

/** What a report says to people, without what it returns and without codes. Null: nothing is left. */
export function toExcerpt(text: string | undefined): string | null {
  const lines = (text ?? "").split(/\r\n?|\n/, 4 * MAX_LINES);
  const end = lines.findIndex((line) => COPY_BEGINS.test(line));
  const excerpt = lines
    .slice(0, end === -1 ? MAX_LINES : Math.min(end, MAX_LINES))
    // How far a line is set in tells what it belongs to.
    .map((line) => " ".repeat(Math.min(line.length - line.trimStart().length, 8)) + cleanDiagnostic(line))
    .join("\n")
    .replace(/\n[ \n]*\n/g, "\n\n")
    .slice(0, RETURNED_LIMITS.excerptChars)
    .toWellFormed()
    .trimEnd();
  return excerpt === "" ? null : excerpt;
}

const toIndent = (line: string) => line.length - line.trimStart().length;
const ADDRESS_LINE = /^\s*<?([^\s<>:]+@[^\s<>:]+)>?(?::|\s|$)/;

/** The lines about each address: from the line that begins with it to an empty line or the next address. */
function listParagraphs(excerpt: string): { address: string; text: string }[] {
  const paragraphs: { address: string; lines: string[]; indent: number }[] = [];
  let open: (typeof paragraphs)[number] | undefined;
  for (const line of excerpt.split("\n")) {
    const address = toAddress(ADDRESS_LINE.exec(line)?.[1]);
    if (address && !(open && toIndent(line) > open.indent)) {
      open = { address, lines: [], indent: toIndent(line) };
      paragraphs.push(open);
    } else if (line.trim() === "") open = undefined;
    open?.lines.push(line.trim());
  }
  return paragraphs.map(({ address, lines }) => ({ address, text: lines.join(" ") }));
}

/** What the text says of one recipient. */
export function findParagraph(excerpt: string | null, address: string | null): string | undefined {
  if (!excerpt || !address) return undefined;
  const wanted = address.toLowerCase();
  return listParagraphs(excerpt).find((paragraph) => paragraph.address.toLowerCase() === wanted)?.text;
}

/** qmail's own form of a bounce (QSBMF): text alone, which begins with these words. */
const QMAIL = /^\s*Hi\. This is the /;

export function isQmailBounce(text: string | null): boolean {
  return QMAIL.test(text ?? "");
}

/** Recipients of a bounce of qmail's; of any other text none, since it may only warn. */
export function listQmailRecipients(excerpt: string | null): { address: string; text: string }[] {
  if (!isQmailBounce(excerpt)) return [];
  return listParagraphs(excerpt ?? "").slice(0, RETURNED_LIMITS.recipients);
}
