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

/** Without its port: a proxy may pass the host on without one. */
function toHostName(url: string): string | undefined {
  return URL.parse(url)?.hostname || undefined;
}

/**
 * Whether a browser's page of this origin is the site's own: its host is that of `PUBLIC_URL`, or the one that the request
 * came to. Scheme and port don't count, and `null`, which sandboxed frames and files send, is nobody's.
 */
export function isOwnOrigin(
  origin: string,
  host: string | undefined,
  publicUrl: string | undefined,
): boolean {
  const name = toHostName(origin);
  if (name === undefined) return false;
  if (publicUrl !== undefined && name === toHostName(publicUrl)) return true;
  return host !== undefined && HOST.test(host) && name === toHostName(`http://${host}`);
}
