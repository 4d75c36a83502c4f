import schema from "@jsonresume/schema/schema.json" with { type: "json" };
import { Ajv, type ErrorObject } from "ajv";
import addFormats from "ajv-formats";
import type { Language } from "#contract/languages.ts";
import en from "#locales/en/import-faults.json" with { type: "json" };
import tr from "#locales/tr/import-faults.json" with { type: "json" };
import { isJsonObject, type JsonPath, type JsonValue } from "./json.ts";

const TEXTS: Record<Language, typeof en> = { en, tr };

/** A text of `import-faults` in `locales/`, with what it speaks of: another text, or what stands for itself. */
export interface FaultText {
  name: keyof typeof en;
  vars?: Readonly<Record<string, string | number | FaultText>>;
}

/** A fault in words. */
export function toFaultText({ name, vars = {} }: FaultText, lang: Language): string {
  return TEXTS[lang][name].replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = vars[key] ?? "";
    return typeof value === "object" ? toFaultText(value, lang) : String(value);
  });
}

/** One thing wrong in a file: where, and what belongs there. */
export interface Fault {
  path: JsonPath;
  expected: FaultText;
  /** What stands there, when showing it helps. */
  found?: JsonValue;
}

/** A file that can't be imported; nothing was written. `message` is for a terminal, and English. */
export class ResumeError extends Error {
  override name = "ResumeError";
  readonly faults: readonly FaultText[];
  constructor(faults: readonly FaultText[]) {
    super(
      `The file can't be imported:\n${faults.map((fault) => `  - ${toFaultText(fault, "en")}`).join("\n")}`,
    );
    this.faults = faults;
  }
}

const MAX_FOUND_CHARS = 60;

/** `work[2].startDate`; a key that is no plain word stands in brackets. Empty for the file itself. */
export function formatPath(path: JsonPath): string {
  const text = path
    .map((part) => {
      if (typeof part === "number") return `[${part}]`;
      return /^[A-Za-z_$][\w$]*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    })
    .join("");
  return text.replace(/^\./, "");
}

function formatFound(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > MAX_FOUND_CHARS ? `${text.slice(0, MAX_FOUND_CHARS)}…` : text;
}

/**
 * A fault as a line: `work[2].startDate: expected …, found "May 2020"`.
 * @param file where the value came from, if the person has another file than the one with these paths.
 */
export function describeFault({ path, expected, found }: Fault, file?: string): FaultText {
  const inside: string | FaultText = formatPath(path) || { name: "root" };
  const place = file === undefined ? inside : { name: "inFile" as const, vars: { file, path: inside } };
  return found === undefined
    ? { name: "wrong", vars: { path: place, expected } }
    : { name: "wrongFound", vars: { path: place, expected, found: formatFound(found) } };
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
    return isStorable(value) ? [] : [{ path, expected: { name: "storableText" }, found: value }];
  }
  if (typeof value === "number") {
    return isExact(value) ? [] : [{ path, expected: { name: "number" } }];
  }
  if (value === null || typeof value === "boolean") return [];
  if (path.length >= MAX_DEPTH) return [{ path, expected: { name: "depth", vars: { max: MAX_DEPTH } } }];
  if (!isJsonObject(value)) return value.flatMap((item, index) => findStorageFaults(item, [...path, index]));
  return Object.entries(value).flatMap(([key, inner]) =>
    isStorable(key)
      ? findStorageFaults(inner, [...path, key])
      : [{ path: [...path, key], expected: { name: "storableKey" } }],
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

/** By what a rule of the schema wants. Its only pattern is its date. */
const EXPECTED: Record<string, FaultText["name"]> = {
  "type string": "text",
  "type array": "list",
  "type object": "object",
  "format uri": "address",
  "format email": "email",
  pattern: "date",
};

function toExpected({ keyword, params }: ErrorObject): FaultText {
  const name = EXPECTED[keyword] ?? EXPECTED[`${keyword} ${params[keyword]}`];
  return { name: name ?? "other" };
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
