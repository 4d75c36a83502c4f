import type { SeededRandom } from "../socket/seeded-random.ts";
import { long } from "./addresses.ts";

type Texts = readonly [string, ...string[]];
export type Header = readonly [name: string, value: string];

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
