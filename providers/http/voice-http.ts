import { readSubject } from "./access-token.ts";
import { type Credentials, createHttp, type Http, type HttpOptions } from "./http.ts";

/** The person whom the token names, beside the token itself (specification A section 8). */
function toUserHeader(token: string | null): Record<string, string> {
  const id = token && readSubject(token);
  return id ? { "X-User-ID": id } : {};
}

/**
 * Calls to the back end of voice: `VITE_VOICE_URL`, where that is not set the one of all calls. Tokens are renewed where the
 * session renews them, at the main API. Without one nothing is asked.
 */
export function createVoiceHttp(options: Omit<HttpOptions, "headers"> & { session: Credentials }): Http {
  const baseUrl = options.baseUrl ?? import.meta.env?.VITE_VOICE_URL;
  return createHttp({ ...options, isGuestRefused: true, headers: toUserHeader, ...(baseUrl && { baseUrl }) });
}
