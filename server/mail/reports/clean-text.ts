const MAX_CHARACTERS = 500;

/** A quoted header in its encoded form (RFC 2047): it can hold a subject that no digit shows. */
const ENCODED_WORD = /=\?[^?\s]{1,60}\?[bq]\?[^?\s]*\?=/gi;

/** Six digits that stand apart from others: servers quote subjects, and a code that is still good begins one. */
const CODE = /(?<!\d)\d{6}(?!\d)/g;

const MASK = "••••••";

/**
 * What another server said, fit to be stored and shown to staff: one line of at most 500 characters without control
 * characters, with `••••••` in place of what may be a code. Cleaning it again changes nothing.
 */
export function cleanDiagnostic(text: string): string {
  const line = text
    .toWellFormed()
    .replace(/\p{Cf}/gu, "") // invisible: they would part a code's digits, or turn the direction of the line
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  // Masked first: a cut can leave five digits of a code.
  const masked = line.replace(ENCODED_WORD, MASK).replace(CODE, MASK);
  return masked.length > MAX_CHARACTERS ? `${masked.slice(0, MAX_CHARACTERS - 1)}…`.toWellFormed() : masked;
}
