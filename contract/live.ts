import * as z from "zod/mini";

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
