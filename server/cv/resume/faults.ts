import schema from "@jsonresume/schema/schema.json" with { type: "json" };
import { Ajv, type ErrorObject } from "ajv";
import addFormats from "ajv-formats";
import { isJsonObject, type JsonPath, type JsonValue } from "./json.ts";

/** One thing wrong in a file: where, and what belongs there. */
export interface Fault {
  path: JsonPath;
  expected: string;
  /** What stands there, when showing it helps. */
  found?: JsonValue;
}

/** A file that can't be imported. `faults` are lines for people; nothing was written. */
export class ResumeError extends Error {
  override name = "ResumeError";
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The file can't be imported:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

const MAX_FOUND_CHARS = 60;

/** `work[2].startDate`; a key that is no plain word stands in brackets. */
export function formatPath(path: JsonPath): string {
  const text = path
    .map((part) => {
      if (typeof part === "number") return `[${part}]`;
      return /^[A-Za-z_$][\w$]*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    })
    .join("");
  return text.replace(/^\./, "") || "the file";
}

function formatFound(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > MAX_FOUND_CHARS ? `${text.slice(0, MAX_FOUND_CHARS)}…` : text;
}

/** A fault as a line: `work[2].startDate: expected …, found "May 2020"`. */
export function formatFault({ path, expected, found }: Fault): string {
  return `${formatPath(path)}: expected ${expected}${found === undefined ? "" : `, found ${formatFound(found)}`}`;
}

/** Deeper files are refused: reading them further would end in a stack overflow here or in PostgreSQL. */
const MAX_DEPTH = 64;

/** PostgreSQL stores neither U+0000 nor half a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** A number that comes back as another one after parsing would be lost in silence. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** Values that jsonb or JavaScript can't keep as they are. */
export function findStorageFaults(value: JsonValue, path: JsonPath = []): Fault[] {
  if (typeof value === "string") {
    return isStorable(value)
      ? []
      : [{ path, expected: "a text without U+0000 and broken characters", found: value }];
  }
  if (typeof value === "number") {
    return isExact(value)
      ? []
      : [{ path, expected: "a number of at most 15 digits (or write it as a text)" }];
  }
  if (value === null || typeof value === "boolean") return [];
  if (path.length >= MAX_DEPTH) return [{ path, expected: `at most ${MAX_DEPTH} levels of nesting` }];
  if (!isJsonObject(value)) return value.flatMap((item, index) => findStorageFaults(item, [...path, index]));
  return Object.entries(value).flatMap(([key, inner]) =>
    isStorable(key)
      ? findStorageFaults(inner, [...path, key])
      : [{ path: [...path, key], expected: "a key without U+0000 and broken characters" }],
  );
}

/** JSON Resume 1.x as its authors publish it. */
export const RESUME_SCHEMA: JsonValue = schema;

const ajv = new Ajv({ allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);
const validateUri = ajv.compile<string>({ type: "string", format: "uri" });
const validateEmail = ajv.compile<string>({ type: "string", format: "email" });

/** Whether the official schema takes a text as an address. */
export function isUri(text: string): boolean {
  return validateUri(text);
}

/** Whether the official schema takes a text as an e-mail address. */
export function isSchemaEmail(text: string): boolean {
  return validateEmail(text);
}

export const EXPECTED_DATE = "a date such as 2024, 2024-05 or 2024-05-31";
export const EXPECTED_EMAIL = "an e-mail address such as jane@example.com";
const EXPECTED_BY_TYPE: Record<string, string> = { string: "a text", array: "a list", object: "an object" };
const EXPECTED_BY_FORMAT: Record<string, string> = {
  uri: "a whole address such as https://example.com/",
  email: EXPECTED_EMAIL,
};

function toExpected(error: ErrorObject): string {
  switch (error.keyword) {
    case "type":
      return EXPECTED_BY_TYPE[String(error.params.type)] ?? String(error.params.type);
    case "format":
      return EXPECTED_BY_FORMAT[String(error.params.format)] ?? String(error.params.format);
    case "pattern": // the schema's only pattern is its date
      return EXPECTED_DATE;
    default:
      return error.message ?? error.keyword;
  }
}

/** Follows a JSON pointer (RFC 6901) to the value it names. */
function followPointer(root: JsonValue, pointer: string): { path: JsonPath; found: JsonValue | undefined } {
  let found: JsonValue | undefined = root;
  const path: (string | number)[] = [];
  for (const escaped of pointer.split("/").slice(1)) {
    const part = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) {
      path.push(Number(part));
      found = found[Number(part)];
    } else {
      path.push(part);
      found = isJsonObject(found) ? found[part] : undefined;
    }
  }
  return { path, found };
}

/**
 * Paths of blank texts where the schema wants a date or an address. Most public files write `"endDate": ""` for a job that
 * goes on: a blank text says nothing, so it counts as absent and is no fault.
 */
export function findBlankPaths(document: JsonValue): JsonPath[] {
  if (validate(document)) return [];
  return (validate.errors ?? [])
    .filter((error) => error.keyword === "format" || error.keyword === "pattern")
    .map((error) => followPointer(document, error.instancePath))
    .filter(({ found }) => typeof found === "string" && found.trim() === "")
    .map(({ path }) => path);
}

/** Everything that the official schema has against a document. */
export function findSchemaFaults(document: JsonValue): Fault[] {
  if (validate(document)) return [];
  return (validate.errors ?? []).map((error) => {
    const { path, found } = followPointer(document, error.instancePath);
    const isShort = found !== undefined && (found === null || typeof found !== "object");
    return { path, expected: toExpected(error), ...(isShort ? { found } : {}) };
  });
}
