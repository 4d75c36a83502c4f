import type { FastifyRequest } from "fastify";

/** A name or address with a port: all that may stand in links when `PUBLIC_URL` is unset. */
const HOST = /^([\w.-]{1,253}|\[[\da-f:.]{2,45}\])(:\d{1,5})?$/i;

/** The site's absolute origin without a trailing slash: `PUBLIC_URL`, else what the request came to. */
export function toOrigin(
  { host, protocol }: Pick<FastifyRequest, "host" | "protocol">,
  publicUrl: string | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl;
  const origin = `${protocol}://${host}`;
  // 256.256.256.256 and port 99999 have the form, and are no address.
  return HOST.test(host) && URL.canParse(origin) ? origin : `${protocol}://localhost`;
}
