import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { rowId, storable } from "../values.ts";

/** Addresses that one call adds or lifts. */
const SUPPRESSIONS_BATCH_MAX = 5000;
const REASON_MAX_CHARS = 500;
/** Text of one import: about fifteen thousand addresses. */
export const IMPORT_MAX_CHARS = 400_000;

/**
 * Begins what stands in place of an address whose account was deleted: `#` and the first half of a keyed hash of it. It is no
 * address, and mail to the address is still known by it.
 */
export const FORGOTTEN_MARK = "#";

const reason = z.string().check(z.trim(), storable, z.minLength(1), z.maxLength(REASON_MAX_CHARS));

/** ISO moment; absent or null: for good. */
const expiry = z.optional(z.nullable(z.iso.datetime({ offset: true })));

/** POST /api/mail/suppressions/: what is no address is named in the answer, and the others are added. */
export const suppressRequest = z.strictObject({
  addresses: z
    .array(z.string().check(z.maxLength(LIMITS.emailMaxChars)))
    .check(z.minLength(1), z.maxLength(SUPPRESSIONS_BATCH_MAX)),
  scope: z.enum(["all", "optional"]),
  reason,
  expires_at: expiry,
});
export type SuppressRequest = z.infer<typeof suppressRequest>;

/** POST /api/mail/suppressions/import/: the same of a file's text, an address a line; of csv its first column. */
export const importRequest = z.strictObject({
  text: z.string().check(z.minLength(1), z.maxLength(IMPORT_MAX_CHARS)),
  scope: z.enum(["all", "optional"]),
  reason,
  expires_at: expiry,
});

export type ImportRequest = z.infer<typeof importRequest>;

/** POST /api/mail/suppressions/lift/ */
export const liftRequest = z.strictObject({
  ids: z.array(rowId).check(z.minLength(1), z.maxLength(SUPPRESSIONS_BATCH_MAX)),
  reason,
});

/** What was done; `undo`: POST the body there to put all of it back. */
export const suppressionsAnswer = z.object({
  success: z.boolean(),
  message: z.string(),
  /** Made or lifted. */
  changed: z.number(),
  /** Stopped already, for as long or longer. */
  unchanged: z.number(),
  /** Are no addresses: at most 20 of them, and how many. */
  invalid: z.array(z.string()),
  invalid_count: z.number(),
  undo: z.nullable(z.object({ path: z.string(), body: z.object({ batch_id: z.string() }) })),
  /** Mails that were held back by what was lifted and can be sent again (`contract/mail/triage.ts`): at most 500 numbers. */
  stopped: z.optional(z.array(z.number())),
});
export type SuppressionsAnswer = z.infer<typeof suppressionsAnswer>;

/** POST /api/mail/suppressions/undo/ */
export const undoRequest = z.strictObject({ batch_id: z.uuid() });
