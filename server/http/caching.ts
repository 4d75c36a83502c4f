import type { FastifyReply, FastifyRequest } from "fastify";

/** A hook for answers with tokens or personal data: they stay out of every cache. */
export async function noStore(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header("Cache-Control", "no-store");
}
