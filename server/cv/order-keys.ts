import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";

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
