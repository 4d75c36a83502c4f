import { isJsonObject, type JsonPath, type JsonValue } from "./json.ts";

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
