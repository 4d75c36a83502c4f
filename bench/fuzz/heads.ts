import type { SeededRandom } from "../socket/seeded-random.ts";

type Texts = readonly [string, ...string[]];
export type Header = readonly [name: string, value: string];

const LONG = 7_000;
const long = (text: string) => text.repeat(Math.floor(LONG / text.length));

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

const ODD_HEADERS: Record<string, Texts> = {
  range: [
    "bytes=0-",
    "bytes=0-0",
    "bytes=-1",
    "bytes=-0",
    "bytes=5-1",
    "bytes=99999999999999999999-",
    "bytes=0-99999999999999999999",
    `bytes=${long("0-0,")}`,
    "bytes=a-b",
    "items=0-1",
    "bytes",
    "bytes=",
  ],
  "if-match": [
    "*",
    '"1"',
    'W/"1"',
    '"',
    "1",
    '""',
    '"2024-01-02T03:04:05Z"',
    `"${long("a")}"`,
    long('"a",'),
    '"İ"',
  ],
  "if-none-match": ["*", '"1"', 'W/"', long('"a", '), ""],
  "if-modified-since": ["yesterday", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 99999 23:59:59 GMT", "0"],
  "if-range": ['"x"', "Thu, 01 Jan 1970 00:00:00 GMT", ""],
  "accept-language": [
    "tr",
    "tr;q=NaN",
    "tr;q=9e999",
    "*",
    ";q=1",
    ",,,,",
    "tr-\u00ff",
    long("en;q=0.1,"),
    "__proto__",
    "tr;q=0,en;q=0",
    "",
  ],
  accept: [
    "*/*",
    "application/*;q=0",
    "/",
    long("a/b;q=0.1,"),
    "text/html;level=1;;;",
    "",
    "__proto__/constructor",
  ],
  "accept-encoding": ["gzip, br", "identity;q=0", "*;q=0", "br;q=NaN", long("gzip,"), "", "__proto__"],
  cookie: [
    "=",
    ";;;=;",
    "preferred-language=%ff",
    "preferred-language=__proto__",
    "foyer_device_1=a.b.c",
    long("foyer_device_1=a; "),
    "__proto__=1; constructor=2",
    'a="\\"',
    "a=%00; b=\u00ff",
    "__Host-foyer=1",
  ],
  host: [
    "a b",
    "[::1",
    "example.org:99999",
    "",
    long("a"),
    "evil.example",
    "[::1%25lo]:1",
    "localhost:0",
    "é",
  ],
  origin: ["null", "https://evil.example", "http://[", long("a"), ""],
  referer: ["http://[::1", "javascript:1", long("a/"), ""],
  "x-forwarded-for": [
    "",
    "a",
    "1.2.3.4, ::1, junk",
    long("1.1.1.1, "),
    "fe80::1%eth0",
    "999.1.1.1",
    "::ffff:1.2.3.4:99",
  ],
  "x-forwarded-proto": ["https", "javascript", "https, http", long("a")],
  "x-forwarded-host": ["evil.example", "a b", "[", ""],
  "x-user-id": ["1", "-1", "__proto__", long("9")],
  "x-request-id": ["a", long("a")],
  "content-encoding": ["gzip", "br", "identity", "junk"],
  expect: ["100-continue", "junk"],
  te: ["trailers", "chunked"],
  upgrade: ["websocket", "h2c", "TLS/1.0"],
  connection: ["upgrade", "close", "keep-alive, x", long("a,")],
  "sec-fetch-site": ["cross-site", "same-origin", "junk"],
  "content-length": ["-1", "1e3", "99999999999999999999", "0x10", ""],
  "transfer-encoding": ["chunked", "chunked, chunked", "gzip, chunked", "junk", "identity"],
};
const ODD_NAMES = Object.keys(ODD_HEADERS) as [string, ...string[]];

/** Headers that no client of ours sends. */
export function toOddHeaders(random: SeededRandom): Header[] {
  if (random.chance(65)) return [];
  if (random.chance(1)) return [["x-long", "a".repeat(20_000)]];
  if (random.chance(1)) return Array.from({ length: 300 }, (_, index) => [`x-${index}`, "1"] as const);
  if (random.chance(1)) return [["x-nul", "a\u0000b"]];
  if (random.chance(1)) return [["x-fold", "a\r\n b"]];
  if (random.chance(1)) return [["bad name", "1"]];
  return Array.from({ length: 1 + random.below(3) }, () => {
    const name = random.pick(ODD_NAMES);
    return [name, random.pick(ODD_HEADERS[name] ?? [""])] as const;
  });
}

/** The header that names the caller, mostly as it ought to be. */
export function toAuthorization(random: SeededRandom, good: string | undefined): Header[] {
  const header = (value: string): Header[] => [["authorization", value]];
  if (random.chance(90)) return good === undefined ? [] : header(good);
  const [, token = "a.b.c"] = (good ?? "").split(" ");
  return random.pick<() => Header[]>([
    () => header("Bearer"),
    () => header("Bearer "),
    () => header(token),
    () => header(`bearer ${token}`),
    () => header(`Bearer  ${token}`),
    () => header(`Bearer ${token.slice(0, -3)}`),
    () => header(`Bearer ${token}x`),
    () => header(`Bearer ${token.split(".").reverse().join(".")}`),
    () => header(`Bearer ${long("a.")}`),
    () => header("Bearer eyJhbGciOiJub25lIn0.e30."),
    () => header("Bearer W10.W10.W10"),
    () => header("Basic YTpi"),
    () => header("Bearer \u00ff\u00fe"),
    () => [...header(`Bearer ${token}`), ...header("Bearer b.c.d")],
    () => header(""),
  ])();
}
