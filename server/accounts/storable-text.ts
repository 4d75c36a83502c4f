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
