import { HttpError } from "#providers/http/http.ts";

/** The server's texts of these fields; the first one of each. */
export function toFieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  const found: Partial<Record<Field, string>> = {};
  if (!(error instanceof HttpError)) return found;
  for (const { field, message } of error.errors) {
    const known = fields.find((name) => name === field);
    if (known) found[known] ??= message;
  }
  return found;
}
