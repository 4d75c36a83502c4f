import "@fastify/cookie";
import "@fastify/accepts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LANGUAGE_KEY, LANGUAGES, type Language, toLanguage } from "#contract/languages.ts";
import { language } from "#contract/values.ts";

/** The saved choice, else the best of `Accept-Language`, else English (specification A section 4). */
export function getRequestLanguage(request: FastifyRequest): Language {
  // Absent where a request failed before the hook that reads them.
  const saved = language.safeParse(request.cookies?.[LANGUAGE_KEY]);
  if (saved.success) return saved.data;
  const accepted = request.accepts().language([...LANGUAGES]);
  return accepted === "tr" ? "tr" : "en";
}

/** Of a page: that of a fixed address, else as above. */
export function getPageLanguage(request: FastifyRequest, prefix: "" | `/${Language}`): Language {
  return prefix === "" ? getRequestLanguage(request) : toLanguage(prefix.slice(1));
}

/** For API calls the client says the language outright: `Accept-Language` wins over the cookie. */
export function getApiLanguage(request: FastifyRequest): Language {
  return request.headers["accept-language"]
    ? request.accepts().language([...LANGUAGES]) === "tr"
      ? "tr"
      : "en"
    : getRequestLanguage(request);
}

/** A name or address with a port: all that may stand in links when `PUBLIC_URL` is unset. */
const HOST = /^([\w.-]{1,253}|\[[\da-f:.]{2,45}\])(:\d{1,5})?$/i;

/** The site's absolute origin without a trailing slash: `PUBLIC_URL`, else what the request came to. */
export function toOrigin(
  { host, protocol }: Pick<FastifyRequest, "host" | "protocol">,
  publicUrl: string | undefined,
): string {
  if (publicUrl !== undefined) return publicUrl;
  // Behind a trusted proxy the scheme is whatever `X-Forwarded-Proto` says, `javascript` too where the proxy passes it on.
  const scheme = protocol.toLowerCase() === "https" ? "https" : "http";
  const origin = `${scheme}://${host}`;
  // 256.256.256.256 and port 99999 have the form, and are no address.
  return HOST.test(host) && URL.canParse(origin) ? origin : `${scheme}://localhost`;
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

/** Aborted when the client goes while its answer is still being made: what runs for it is of no use. */
export function toAbortSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const { raw } = reply;
  raw.once("close", () => {
    if (!raw.writableEnded) controller.abort();
  });
  return controller.signal;
}

/** A body by its names, before a schema has seen it; anything but an object has none. */
export function toNamedValues(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === "object" && body !== null && !Array.isArray(body)
    ? (body as Record<string, unknown>) // as JSON gave it
    : {};
}
