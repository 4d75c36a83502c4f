/** Quotes a text as an SQL literal, for statements that take no parameters (COPY). */
function quoteLiteral(value: string): string {
  const quoted = `'${value.replaceAll("'", "''")}'`;
  return value.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

/** A value as an SQL literal: where a statement takes no parameters, or keeps its text. */
export function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `ARRAY[${value.map(toLiteral).join(", ")}]`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return quoteLiteral(String(value));
}

/** Quotes a name for SQL. Names come from the registry only, never from a request. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A statement with its values; `rowMode: "array"` gives rows as lists. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** The highest number of PostgreSQL's `integer`: of ids, places and whole numbers. */
export const MAX_INT4 = 2_147_483_647;

/**
 * A stranger's text as PostgreSQL can hold it in `text` and `jsonb`: no control characters (NUL above all), no half of
 * a surrogate pair, not longer than `maxChars`.
 */
export function toStorableText(text: string, maxChars: number): string {
  return text
    .replaceAll(/\p{Cc}/gu, "")
    .slice(0, maxChars)
    .toWellFormed();
}

/** The same for one line of any length: schemas say how long it may be. */
export function toStorableLine(text: string): string {
  return toStorableText(text, Number.POSITIVE_INFINITY).trim();
}
