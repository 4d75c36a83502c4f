import * as z from "zod/mini";

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
