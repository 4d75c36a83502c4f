import type { SeededRandom } from "../socket/seeded-random.ts";

type Texts = readonly [string, ...string[]];

const LONG = 7_000;
/** A text again and again, up to what a head may have. */
export const long = (text: string) => text.repeat(Math.floor(LONG / text.length));

/** Pieces of an address as no link has them. */
const ODD_PARTS: Texts = [
  "%00",
  "1%00",
  "%",
  "%zz",
  "%ff",
  "%c0%ae",
  "%ED%A0%80",
  "%F0%9F%98%80",
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "..",
  "../..",
  "..%5c",
  ".",
  "%2f",
  "%252e",
  "a;b=c",
  "a,b",
  "0",
  "-1",
  "1e3",
  "1.5",
  "0x1",
  "2147483648",
  "999999999",
  "99999999999999999999",
  "NaN",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "İ",
  "\u00ff\u00fe",
  "%C4%B0",
  "+",
  "%20",
  "%0d%0aX-Injected:%201",
  "'",
  '"',
  "*",
  "{id}",
  "$1",
  "a".repeat(201),
  "%61".repeat(300),
  "a".repeat(5_000),
];

/** In place of a name in braces. */
export function toPathPart(random: SeededRandom, known: readonly string[]): string {
  if (known.length > 0 && random.chance(82)) return random.pick(known as [string, ...string[]]);
  return random.pick(ODD_PARTS);
}

const ODD_QUERY_NAMES: Texts = [
  "page",
  "page_size",
  "search",
  "cursor",
  "count",
  "where",
  "format",
  "columns",
  "lang",
  "filters[0][field]",
  "filters[0][operator]",
  "filters[0][value]",
  "filters[1][field]",
  "filters[999999999][field]",
  "filters[-1][field]",
  "filters[__proto__][field]",
  "filters[0][__proto__]",
  "filters[0]",
  "filters",
  "filters[]",
  "sort[0][field]",
  "sort[0][direction]",
  "sort[99][field]",
  "__proto__[x]",
  "constructor[prototype][x]",
  "a[b",
  "]",
  "",
];
const deepWhere = (depth: number) => `${'{"not":'.repeat(depth)}null${"}".repeat(depth)}`;
const QUERY_VALUES: Texts = [
  "",
  "1",
  "2",
  "200",
  "201",
  "0",
  "-1",
  "1.5",
  "1e9",
  "9007199254740993",
  "99999999999999999999",
  "true",
  "exact",
  "asc",
  "desc",
  "id",
  "title",
  "label",
  "created_at",
  "updated_at",
  "position",
  "is_hidden",
  "username",
  "email",
  "password_hash",
  "contains",
  "in",
  "range",
  "isnull",
  "gt",
  "startswith",
  "csv",
  "xlsx",
  "ndjson",
  "json",
  "2024-01-01",
  "2024-13-45",
  "infinity",
  "-infinity",
  "%00",
  "a%00b",
  "%ED%A0%80",
  "%ff",
  "%",
  "%25",
  "_",
  "%5C",
  "'",
  "%22",
  "[1,2",
  "%5B1,2%5D",
  "%5B%5D",
  "%5B%22%5Cu0000%22%5D",
  "%7B%7D",
  "null",
  "%C4%B0",
  encodeURIComponent('{"and":[]}'),
  encodeURIComponent('{"or":[{"field":"id","operator":"in","value":"1,2"}]}'),
  encodeURIComponent('{"field":"__proto__","operator":"constructor","value":{}}'),
  encodeURIComponent('{"field":"id","operator":"exact","value":"99999999999999999999"}'),
  encodeURIComponent('{"field":"updated_at","operator":"gt","value":"\\u0000"}'),
  encodeURIComponent(deepWhere(60)),
  encodeURIComponent(deepWhere(800)),
  "eyJhIjoxfQ",
  "W10",
  "bnVsbA",
  "WyIxIiwiMiJd",
  "AAAA",
  "===",
  "a".repeat(201),
  "a".repeat(4_000),
];

/** `?` and what follows, or nothing. */
export function toQuery(random: SeededRandom, known: readonly string[]): string {
  if (random.chance(known.length > 0 ? 15 : 70)) return "";
  if (random.chance(2)) return `?${long("a=1&")}`;
  if (random.chance(2)) return `?${long("[a]")}`;
  const names = known.length > 0 ? (known as [string, ...string[]]) : ODD_QUERY_NAMES;
  const parts = Array.from({ length: 1 + random.below(4) }, () => {
    const name = random.pick(random.chance(85) ? names : ODD_QUERY_NAMES);
    return `${name}=${random.pick(QUERY_VALUES)}`;
  });
  return `?${parts.join("&")}`;
}
