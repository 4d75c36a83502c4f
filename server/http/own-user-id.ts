import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../base/errors.ts";
import { requireActor } from "./bearer.ts";

/**
 * For doors of the voice API, which names the person beside the token (specification B section 7): another name than the
 * token's is refused. Runs after the guard. @throws AppError permission_denied.
 */
export async function requireOwnUserId(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
  const named = request.headers["x-user-id"];
  if (named !== undefined && named !== String(requireActor(request).userId))
    throw new AppError("permission_denied");
}
