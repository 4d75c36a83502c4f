/** What `JSON.parse` gives. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Keys and indexes from the root of a file to a value. */
export type JsonPath = readonly (string | number)[];

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path of keys; undefined where an object has no such key of its own (`__proto__` included). */
export function getAt(value: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const key of keys) {
    if (!isJsonObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

/** A copy with a value at a path of keys. What stands in the way and is no object gives way. */
export function setAt(object: JsonObject, keys: readonly string[], value: JsonValue): JsonObject {
  const [key, ...rest] = keys;
  if (key === undefined) return object;
  const inner = Object.hasOwn(object, key) ? object[key] : undefined;
  return {
    ...object,
    [key]: rest.length === 0 ? value : setAt(isJsonObject(inner) ? inner : {}, rest, value),
  };
}

/** A copy without the value at a path of keys. An object that this empties goes too. */
export function omitAt(object: JsonObject, keys: readonly string[]): JsonObject {
  const [key, ...rest] = keys;
  if (key === undefined || !Object.hasOwn(object, key)) return object;
  const { [key]: inner, ...others } = object;
  if (rest.length === 0) return others;
  if (!isJsonObject(inner) || getAt(inner, rest) === undefined) return object;
  const left = omitAt(inner, rest);
  return Object.keys(left).length === 0 ? others : { ...object, [key]: left };
}

/** One text for equal values, whatever the order of their keys: PostgreSQL's jsonb doesn't keep it. */
export function toCanonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}
