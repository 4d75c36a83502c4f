import { readFile, stat } from "node:fs/promises";
import { type FaultText, ResumeError } from "./faults.ts";
import type { JsonValue } from "./json.ts";

const SPACE = /[ \t\n\r]*/y;
const MARK = /[{}[\],:]/;
/** Everything from U+0020 on but quote and backslash, and escapes. */
const TEXT = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*"/;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/;
const WORD = /(?:true|false|null)\b/;
const TOKEN = new RegExp([MARK, TEXT, NUMBER, WORD].map((part) => part.source).join("|"), "y");

type Wanted = "value" | "value-or-end" | "key" | "key-or-end" | "colon" | "comma-or-end" | "nothing";

const EXPECTED: Record<Wanted, FaultText["name"]> = {
  value: "value",
  "value-or-end": "valueOrEnd",
  key: "key",
  "key-or-end": "keyOrEnd",
  colon: "colon",
  "comma-or-end": "commaOrEnd",
  nothing: "nothing",
};

/** What may stand after a value, given the brackets that are open. */
function toNext(open: readonly string[]): Wanted {
  return open.length > 0 ? "comma-or-end" : "nothing";
}

function takesValue(wanted: Wanted): boolean {
  return wanted === "value" || wanted === "value-or-end";
}

/** Closes a bracket; undefined when none of its kind is open here. */
function close(wanted: Wanted, opening: string, open: string[]): Wanted | undefined {
  return wanted.endsWith("-or-end") && open.pop() === opening ? toNext(open) : undefined;
}

/** What a token makes of the state; undefined: it doesn't belong here. `open` holds the brackets that wait to be closed. */
function step(wanted: Wanted, token: string, open: string[]): Wanted | undefined {
  switch (token) {
    case "{":
    case "[":
      if (!takesValue(wanted)) return undefined;
      open.push(token);
      return token === "{" ? "key-or-end" : "value-or-end";
    case "}":
      return close(wanted, "{", open);
    case "]":
      return close(wanted, "[", open);
    case ",":
      if (wanted !== "comma-or-end") return undefined;
      return open.at(-1) === "{" ? "key" : "value";
    case ":":
      return wanted === "colon" ? "value" : undefined;
    default:
      if (takesValue(wanted)) return toNext(open);
      return token.startsWith('"') && wanted.startsWith("key") ? "colon" : undefined;
  }
}

function toFault(text: string, at: number, wanted: Wanted): FaultText {
  const before = text.slice(0, at).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  const path: FaultText = { name: "place", vars: { line: before.length, column } };
  const found: string | FaultText =
    at < text.length ? JSON.stringify(text.slice(at, at + 12).split("\n")[0]) : { name: "end" };
  return { name: "wrongFound", vars: { path, expected: { name: EXPECTED[wanted] }, found } };
}

/**
 * Where a text stops being JSON: `line 4, column 3: expected a comma or a closing bracket, found "}"`.
 * `JSON.parse` alone doesn't say the place of every fault. Undefined when the text is JSON.
 */
function findJsonFault(text: string): FaultText | undefined {
  const open: string[] = [];
  let wanted: Wanted = "value";
  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    at += SPACE.exec(text)?.[0].length ?? 0;
    if (at >= text.length) return wanted === "nothing" ? undefined : toFault(text, at, wanted);
    TOKEN.lastIndex = at;
    const token: string | undefined = TOKEN.exec(text)?.[0];
    const next: Wanted | undefined = token === undefined ? undefined : step(wanted, token, open);
    if (token === undefined || next === undefined) return toFault(text, at, wanted);
    wanted = next;
    at += token.length;
  }
}

export const MAX_FILE_BYTES = 5 * 1024 * 1024;

function requireSize(size: number, maxBytes: number): void {
  if (size > maxBytes) throw new ResumeError([{ name: "tooLarge", vars: { max: maxBytes / 1024 / 1024 } }]);
}

const READ_FAULTS: Record<string, FaultText["name"]> = {
  ENOENT: "missing",
  EACCES: "denied",
  EISDIR: "folder",
};

/** How a text begins that is written in UTF-16, as Windows calls it "Unicode". */
const MARKS: readonly [number, number, string][] = [
  [0xff, 0xfe, "utf-16le"],
  [0xfe, 0xff, "utf-16be"],
];

/** The text of bytes in UTF-8, with or without a byte order mark, or in UTF-16 with one. @throws ResumeError */
export function decodeResume(bytes: Uint8Array): string {
  requireSize(bytes.byteLength, MAX_FILE_BYTES);
  try {
    const [, , encoding = "utf-8"] = MARKS.find(([one, two]) => bytes[0] === one && bytes[1] === two) ?? [];
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new ResumeError([{ name: "notUtf8" }]);
  }
}

/** The value of a JSON text. @throws ResumeError that names line and column */
export function parseResume(text: string): JsonValue {
  try {
    const parsed: JsonValue = JSON.parse(text);
    return parsed;
  } catch {
    throw new ResumeError([findJsonFault(text) ?? { name: "noJson" }]);
  }
}

/** The code of a fault of the file system. No `instanceof`: tests run in a realm of their own. */
function getCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
}

/** The bytes of a file for an import. @throws ResumeError when it can't be read, or is larger */
export async function readFileBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  try {
    requireSize((await stat(path)).size, maxBytes);
    return await readFile(path);
  } catch (error) {
    const code = getCode(error);
    throw code === undefined
      ? error
      : new ResumeError([{ name: READ_FAULTS[code] ?? "unreadable", vars: { file: path, code } }]);
  }
}
