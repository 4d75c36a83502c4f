import type { Cv } from "#contract/site/cv.ts";

/** RFC 2426, section 2.6: a line has at most 75 octets without its end; what goes on begins with a space, which counts. */
const MAX_LINE_OCTETS = 75;

/** A line in pieces, none of which ends inside of a character. */
function fold(line: string): string {
  const lines: string[] = [];
  let piece = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > MAX_LINE_OCTETS) {
      lines.push(piece);
      piece = " ";
      octets = 1;
    }
    piece += character;
    octets += size;
  }
  return [...lines, piece].join("\r\n");
}

/** A text as a value: what means something in a card, and ends of lines, are marked. Other control characters mean nothing to people. */
function toValue(text: string): string {
  return text
    .trim()
    .replaceAll(/\r\n?|\u2028|\u2029/g, "\n")
    .replaceAll(/[\\,;]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll(/\p{Cc}/gu, "");
}

/** An address on the web in its ASCII form, which has nothing to mark; undefined for what the page makes no link of either. */
function toAddress(given: string | null): string | undefined {
  const url = URL.parse(given ?? "");
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** Family name, given names: the last word of a name is taken for the family's, as address books sort by it. */
function toNameParts(name: string): string {
  const words = name.trim().split(/\s+/);
  const family = words.length > 1 ? words.pop() : "";
  return [family ?? "", words.join(" "), "", "", ""].map(toValue).join(";");
}

function toPlace({ street, district, province, postal_code, country }: Cv["address"]): string[] {
  const parts = ["", "", street, district, province, postal_code, country].map((part) => toValue(part ?? ""));
  return parts.some((part) => part !== "") ? [`ADR:${parts.join(";")}`] : [];
}

/** Pages elsewhere, each with its name: Apple's way, which others pass over. */
function toLinks(links: Cv["links"]): string[] {
  return links.flatMap(({ url, network }, index) => {
    const address = toAddress(url);
    return address === undefined
      ? []
      : [`item${index + 1}.URL:${address}`, `item${index + 1}.X-ABLabel:${toValue(network)}`];
  });
}

/**
 * The person as a card for address books: vCard 3.0 (RFC 2426), which phones of all makers and Outlook take; 4.0 not yet. It says what
 * the page says and nothing else. `page` is the CV's address, which names the card: importing it again changes the contact.
 */
export function buildVcard(cv: Cv, page: string): string {
  const { origin } = new URL(page);
  const website = toAddress(cv.website);
  const note = [cv.tagline, cv.description].find((text) => text.trim() !== "");
  return [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `FN:${toValue(cv.name)}`,
    `N:${toNameParts(cv.name)}`,
    ...(cv.title ? [`TITLE:${toValue(cv.title)}`] : []),
    ...(cv.email ? [`EMAIL;TYPE=INTERNET:${toValue(cv.email)}`] : []),
    ...toPlace(cv.address),
    `URL:${page}`,
    ...(website && website !== `${origin}/` ? [`URL:${website}`] : []),
    ...toLinks(cv.links),
    ...(cv.photo ? [`PHOTO;VALUE=uri:${new URL(cv.photo, origin).href}`] : []),
    ...(note ? [`NOTE:${toValue(note)}`] : []),
    `UID:${page}`,
    "END:VCARD",
    "",
  ]
    .map(fold)
    .join("\r\n");
}

/** The name of a file with the person's card, in letters that every system takes. */
export function toFileName(name: string): string {
  const plain = name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ı", "i")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return plain || "cv";
}
