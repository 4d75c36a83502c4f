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

function copyWithout(value: JsonValue, removed: ReadonlySet<string>, path: JsonPath): JsonValue {
  const isLeft = (part: string | number) => !removed.has(JSON.stringify([...path, part]));
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      isLeft(index) ? [copyWithout(item, removed, [...path, index])] : [],
    );
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([key]) => isLeft(key));
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, copyWithout(inner, removed, [...path, key])]),
  );
}

/** A copy without the values at some paths, all of them paths of the value as it is given. */
export function removeAt(value: JsonValue, paths: readonly JsonPath[]): JsonValue {
  return paths.length === 0
    ? value
    : copyWithout(value, new Set(paths.map((path) => JSON.stringify(path))), []);
}

/** Part of the schema that speaks of a value's keys, if it has one. */
function getPart(schema: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(schema) && Object.hasOwn(schema, key) ? schema[key] : undefined;
}

/**
 * A copy with its keys in the schema's order, unknown ones after them by code unit, at every depth.
 * jsonb forgets the order of keys, so one that follows from the keys alone is what makes an export the same each time.
 */
export function orderKeys(value: JsonValue, schema: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((item) => orderKeys(item, getPart(schema, "items")));
  if (!isJsonObject(value)) return value;
  return orderObject(value, schema);
}

function orderObject(object: JsonObject, schema: JsonValue | undefined): JsonObject {
  const properties = getPart(schema, "properties");
  const places = new Map(
    Object.keys(isJsonObject(properties) ? properties : {}).map((key, place) => [key, place]),
  );
  const toPlace = (key: string) => places.get(key) ?? places.size;
  const keys = Object.keys(object).sort((a, b) => toPlace(a) - toPlace(b) || (a < b ? -1 : 1));
  return Object.fromEntries(
    keys.map((key) => [key, orderKeys(object[key] ?? null, getPart(properties, key))]),
  );
}
