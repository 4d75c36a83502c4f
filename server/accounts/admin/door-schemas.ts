import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";

/** Ids are digits, so that fixed names beside them (`/api/users/me/`) stay what they are. */
export const ID_PATH = ":id(^\\d{1,9}$)";
export const idParams = z.object({ id: z.pipe(z.string(), z.transform(Number)) });

/** `filters[0][field]` and the like are read by the engine, which also checks these. */
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

export function getIfMatch(request: FastifyRequest): string | undefined {
  return request.headers["if-match"];
}
