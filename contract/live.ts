import * as z from "zod/mini";

/** A committed write of a model, on the topic `admin:{app.name}`. Values are read again by who may see them. */
export const liveEvent = z.object({
  type: z.enum(["created", "updated", "deleted"]),
  content_type_id: z.number(),
  /** Rows that the reader may see, at most 100; empty with `is_many`: read the list again. */
  ids: z.array(z.number()),
  is_many: z.boolean(),
});
export type LiveEvent = z.infer<typeof liveEvent>;
