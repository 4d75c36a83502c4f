import * as z from "zod/mini";
import { record } from "./models.ts";

/** POST /api/admin/files/{id}/replace/: `file` is the address of the file that takes the place; the answer names it. */
export const replaceRequest = z.object({ file: z.string().check(z.maxLength(60)) });
export const replaceAnswer = z.object({ id: z.number() });

/** What an upload answers; `url` is what a file field takes. */
export const uploadAnswer = z.object({
  url: z.string(),
  name: z.string(),
  media_type: z.string(),
  byte_size: z.number(),
});
export type UploadAnswer = z.infer<typeof uploadAnswer>;

/** The documented types of actions (specification B section 3). */
export const actionType = z.enum(["CREATE", "UPDATE", "DELETE", "VIEW", "LOGIN", "LOGOUT"]);

/** Changed fields, values as they travel. A created row has no `before`, a deleted one no `after`. */
export const fieldChanges = z.record(
  z.string(),
  z.object({ before: z.optional(z.unknown()), after: z.optional(z.unknown()) }),
);

/** GET …/objects/{id}/history/: the entries of one object, newest first, from below `before`. */
export const historyEntry = z.object({
  id: z.number(),
  action_type: actionType,
  detail: z.nullable(z.string()),
  change_message: z.string(),
  timestamp: z.string(),
  /** Null: the server itself, or an account that is gone. */
  user: z.nullable(z.object({ id: z.number(), username: z.string() })),
  ip_address: z.nullable(z.string()),
  /** Fields that the reader may see, values as they travel; secrets are masked. */
  changes: fieldChanges,
});
export type HistoryEntry = z.infer<typeof historyEntry>;

export const historyAnswer = z.object({
  entries: z.array(historyEntry),
  /** For the next page's `before`; null at the end. */
  next_before: z.nullable(z.number()),
});
export type HistoryAnswer = z.infer<typeof historyAnswer>;

/** What a deletion does to the rows of one model: takes them along, empties their reference, or is refused because of them. */
export const dependents = z.object({
  content_type_id: z.nullable(z.number()),
  /** Their field that refers to the object, by which their list can be filtered. Absent: they hang below others, or there is none. */
  field: z.optional(z.string()),
  verbose_name: z.string(),
  count: z.number(),
  effect: z.enum(["delete", "detach", "refuse"]),
});
export type Dependents = z.infer<typeof dependents>;

/** GET …/objects/{id}/dependents/ */
export const dependentsAnswer = z.object({ dependents: z.array(dependents), is_deletable: z.boolean() });
export type DependentsAnswer = z.infer<typeof dependentsAnswer>;

/** What a 409 of a stale write holds beside the error: the object as it is now, with its ETag, and what was sent. */
export const staleWrite = z.object({
  code: z.literal("stale_write"),
  current: record,
  current_etag: z.string(),
  submitted: z.record(z.string(), z.unknown()),
});
export type StaleWrite = z.infer<typeof staleWrite>;

/** POST …/objects/{id}/move/: puts the object right before another one of its model; null: behind the last. */
export const moveRequest = z.strictObject({ before: z.nullable(z.int()) });
export type MoveRequest = z.infer<typeof moveRequest>;

export const moveAnswer = z.object({
  /** False: it stood there already, and nothing was written. */
  is_moved: z.boolean(),
  /** Every object whose number changed, the moved one first, others because there was no number left between two. */
  places: z.array(z.object({ id: z.number(), place: z.number() })),
});
export type MoveAnswer = z.infer<typeof moveAnswer>;

/** The topic of a model's live events; `modelKey` is `app.name`. Refused with `unauthorized` to who may not see the model. */
export function toLiveTopic(modelKey: string): string {
  return `admin:${modelKey}`;
}

/** Name of the one event on such a topic; its payload is a `LiveEvent`. */
export const LIVE_EVENT_NAME = "changed";

/**
 * Committed writes of a model. Values are read again by who may see them. The first comes at once; what follows closely comes
 * as one event, with the type `updated` where the writes were of different types.
 */
export const liveEvent = z.object({
  type: z.enum(["created", "updated", "deleted"]),
  content_type_id: z.number(),
  /** Rows that the reader may see, at most 100; empty with `is_many`: read the list again. */
  ids: z.array(z.number()),
  is_many: z.boolean(),
});
export type LiveEvent = z.infer<typeof liveEvent>;
