import * as z from "zod/mini";

/** Query of a documented list over a content model: `filters[0][field]` and the like are read by the engine, which also checks these. */
export const doorQuery = z.catchall(
  z.object({
    page: z.optional(z.unknown()),
    page_size: z.optional(z.unknown()),
    search: z.optional(z.unknown()),
    cursor: z.optional(z.unknown()),
    count: z.optional(z.unknown()),
  }),
  z.unknown(),
);
