import * as z from "zod";
import { cleanDiagnostic } from "../clean-text.ts";

/** Long enough for what servers answer in many lines; only 500 characters of it are kept. */
const MAX_RAW_DIAGNOSTIC_LENGTH = 20_000;

/** One line that PostgreSQL can store: no control characters, no half of a pair. */
export const shortText = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "Invalid characters");

/** An address as the source writes it; 64 characters, the sign and 255 are the most that SMTP can carry. */
export const recipientText = shortText(320);

/** What another server said, cleaned before it leaves the schema; cleaning it again changes nothing. */
export const diagnosticText = z.string().max(MAX_RAW_DIAGNOSTIC_LENGTH).transform(cleanDiagnostic);

/** The secret of a mail's return path: 24 hexadecimal digits. */
export const reportTokenText = z
  .string()
  .regex(/^[0-9a-f]{24}$/i)
  .toLowerCase();

/** For what a source may leave out, write as null, or fill with something of its own that says nothing to us. */
export const ifUsable = <Schema extends z.ZodType>(schema: Schema) =>
  z.optional(schema).catch(() => undefined);

/** A Message-ID with its angle brackets, whether it came with them or not. */
export function toMessageId(text: string): string {
  return text.startsWith("<") ? text : `<${text}>`;
}

/** ISO moment in UTC; null where it is none. */
export function toMoment(text: string | number | undefined): string | null {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
