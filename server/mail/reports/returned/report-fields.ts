import { RETURNED_LIMITS } from "./returned-mail.ts";

/** Fields of one block of a report, or headers of a mail: values by the name in lower case, in their order. */
export type Fields = ReadonlyMap<string, readonly string[]>;

/** So many fields of a block are read. */
const MAX_FIELDS = 100;

function toFields(block: string): Fields {
  const fields = new Map<string, string[]>();
  const lines = block.replace(/\n[ \t]+/g, " ").split("\n", MAX_FIELDS);
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const values = fields.get(name);
    const value = line.slice(colon + 1).trim();
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return fields;
}

/** Blocks of fields, parted by empty lines; folded lines are joined. At most so many blocks. */
export function parseBlocks(text: string, maxBlocks: number): Fields[] {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/^[ \t]+$/gm, "")
    .split(/\n{2,}/)
    .filter((block) => block.includes(":"))
    .slice(0, maxBlocks)
    .map(toFields);
}

/** What can be stored as JSON in PostgreSQL: no control characters, no half characters. Null: nothing is left. */
export function toField(
  value: string | undefined,
  maxChars: number = RETURNED_LIMITS.fieldChars,
): string | null {
  const plain = (value ?? "")
    .slice(0, 4 * maxChars)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, maxChars)
    .toWellFormed();
  return plain === "" ? null : plain;
}

export function getField(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.[0];
}

/** What stands behind the type of a typed value: `dns; mx.example.net`, `smtp; 550 no`. */
export function withoutType(value: string | undefined): string | undefined {
  return value?.replace(/^[\w-]{1,40};/, "");
}

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/;

/** RFC 6533 writes what isn't ASCII as `\x{F6}` where it has to pass an old server. */
function decodeUtf8Address(address: string): string {
  return address.replace(/\\x\{([0-9a-f]{1,6})\}/gi, (written, hex: string) => {
    const point = Number.parseInt(hex, 16);
    return point > 0x7f && point <= 0x10ffff ? String.fromCodePoint(point) : written;
  });
}

/** An address, with or without angle brackets. Null: it is none. */
export function toAddress(value: string | undefined): string | null {
  const address = toField(value?.trim().replace(/^<(.*)>$/, "$1"), RETURNED_LIMITS.addressChars + 1);
  if (!address || address.length > RETURNED_LIMITS.addressChars || !ADDRESS.test(address)) return null;
  return decodeUtf8Address(address).toWellFormed();
}

/** The address of a typed field: `rfc822; name@example.net`, `utf-8; …`. Other systems' addresses are null. */
export function toTypedAddress(value: string | undefined): string | null {
  const [, type, address] = /^(?:([\w-]{1,40})\s*;)?(.*)$/s.exec(value?.trim() ?? "") ?? [];
  if (type !== undefined && !/^(rfc822|utf-8)$/i.test(type)) return null;
  return toAddress(address);
}
