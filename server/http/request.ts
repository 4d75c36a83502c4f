import "@fastify/cookie";
import "@fastify/accepts";
import type { FastifyRequest } from "fastify";
import { language } from "#contract/language-schemas.ts";
import { LANGUAGE_KEY, LANGUAGES, type Language, toLanguage } from "#contract/languages.ts";

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
