import type { FastifyRequest } from "fastify";

/** A name or address with a port: all that may stand in links when `PUBLIC_URL` is unset. */
const HOST = /^([\w.-]{1,253}|\[[\da-f:.]{2,45}\])(:\d{1,5})?$/i;

/** The site's absolute origin without a trailing slash: `PUBLIC_URL`, else what the request came to. */
export function toOrigin(request: FastifyRequest, publicUrl: string | undefined): string {
  const host = HOST.test(request.host) ? request.host : "localhost";
  return publicUrl ?? `${request.protocol}://${host}`;
}
