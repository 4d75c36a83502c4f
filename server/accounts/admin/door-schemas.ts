import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";

/** Ids are digits, so that fixed names beside them (`/api/users/me/`) stay what they are. */
export const ID_PATH = ":id(^\\d{1,9}$)";
export const idParams = z.object({ id: z.pipe(z.string(), z.transform(Number)) });

export function getIfMatch(request: FastifyRequest): string | undefined {
  return request.headers["if-match"];
}
