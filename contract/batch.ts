import * as z from "zod/mini";

/**
 * Where an undo is posted. Only this site's own API: the path stands in an answer, and the call carries the person's token.
 */
const ownPath = z.string().check(z.regex(/^\/api\/[\w/-]+\/$/));

/** What a write of one or several rows by a call of its own answers (specification B section 7), and Foyer's additions. */
export const batchAnswer = z.object({
  success: z.boolean(),
  message: z._default(z.nullable(z.string()), null),
  /** What became of each row; `message` is why not, or what else to know. */
  results: z.optional(
    z.array(z.object({ id: z.number(), ok: z.boolean(), message: z._default(z.nullable(z.string()), null) })),
  ),
  /** Mails that were held back until now and can be sent again, by their numbers. */
  stopped: z.catch(z.optional(z.array(z.number())), undefined),
  /** POST that puts everything back as it was; one that leads elsewhere is none. */
  undo: z.catch(z.optional(z.nullable(z.object({ path: ownPath, body: z.unknown() }))), null),
});
export type BatchAnswer = z.infer<typeof batchAnswer>;
