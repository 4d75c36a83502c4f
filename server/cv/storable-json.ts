import type { Fault } from "./faults.ts";
import { isJsonObject, type JsonPath, type JsonValue } from "./json.ts";

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
