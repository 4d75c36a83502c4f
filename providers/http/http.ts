import type { FieldError } from "#contract/errors.ts";
import { readFailure, UNKNOWN_ERROR } from "./failure.ts";
import type { UploadProgress } from "./upload.ts";

/** A schema of `contract/`: turns an unknown answer into a typed one or throws. */
export interface Parser<T> {
  parse(value: unknown): T;
}

interface HttpErrorOptions extends ErrorOptions {
  answer?: unknown;
  retryAfterS?: number | undefined;
}

/** A failed call (specification A section 8). `status` is 500 and `code` says why when no answer came at all. */
export class HttpError extends Error {
  readonly code: string;
  readonly status: number;
  readonly errors: FieldError[];
  /** Seconds after which the server wants to be asked again, where it said so (`Retry-After`). */
  readonly retryAfterS: number | undefined;
  /** The whole answer, for callers who know more of it than the documented shape. */
  readonly answer: unknown;

  constructor(
    message: string,
    code: string,
    status = 500,
    errors: FieldError[] = [],
    options?: HttpErrorOptions,
  ) {
    super(message, options);
    this.name = "HttpError";
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.retryAfterS = options?.retryAfterS;
    this.answer = options?.answer;
  }
}

/** `Retry-After` in seconds; its other form, a date, is for caches and not sent by these endpoints. */
function readRetryAfter(header: string | null): number | undefined {
  const seconds = Number(header);
  return seconds > 0 ? seconds : undefined;
}

function toHttpError(status: number, body: unknown, retryAfterS?: number): HttpError {
  const { message, code, errors } = readFailure(status, body);
  return new HttpError(message, code, status, errors, { retryAfterS, answer: body });
}

/** Where the calls get their access token; providers/http/session.ts is one. */
export interface Credentials {
  /** A token that stays valid for a while, or null for a guest. Rejects when it could not be renewed for now. */
  getAccessToken(): Promise<string | null>;
  /** A token in place of one that the server refused, or null when the session is over. */
  renewAccessToken(refused: string): Promise<string | null>;
  /** Asks the person to show again that it is them; false where they gave up. */
  confirm?(refusal: HttpError): Promise<boolean>;
}

export interface HttpOptions {
  /** Origin of the back end without the `/api` of the paths; empty means this site. */
  baseUrl?: string;
  /** Language of the texts in answers. */
  getLanguage: () => string;
  /** Sent with each call, which gives the token that it goes out with, or null as a guest; the call's own headers win. */
  headers?: (token: string | null) => Readonly<Record<string, string>>;
  fetch?: typeof fetch;
}

export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** FormData goes out as it is, everything else as JSON. */
  body?: unknown;
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
  /** It goes out also where the page is closed. */
  keepalive?: boolean;
}

export interface UploadOptions<T> {
  method?: "POST" | "PUT";
  schema: Parser<T>;
  onProgress?: (progress: UploadProgress) => void;
  signal?: AbortSignal;
}

export interface Versioned<T> {
  answer: T;
  etag: string | undefined;
}

/** Calls to the documented endpoints. All methods reject with HttpError; an aborted call rejects with its signal's reason. */
export interface Http {
  /** The answer as the schema reads it; without a schema the answer's body is not looked at. */
  request<T>(path: string, options: RequestOptions & { schema: Parser<T> }): Promise<T>;
  request(path: string, options?: RequestOptions): Promise<void>;
  /** The same with the answer's ETag, which names the version that it holds; undefined where it has none. */
  requestVersion<T>(path: string, options: RequestOptions & { schema: Parser<T> }): Promise<Versioned<T>>;
  /** The response itself, for files and streams. */
  requestRaw(path: string, options?: RequestOptions): Promise<Response>;
  /** POST, or PUT, of a form with progress; fetch can't say how much of a body has left. */
  upload<T>(path: string, form: FormData, options: UploadOptions<T>): Promise<T>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's HTML page, for example: toHttpError has a text for it, a schema refuses it.
    return undefined;
  }
}

function readAnswer<T>(schema: Parser<T>, text: string): T {
  try {
    return schema.parse(parseJson(text));
  } catch (cause) {
    throw new HttpError(UNKNOWN_ERROR, "unexpected_answer", 500, [], { cause });
  }
}

function toNetworkError(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  return new HttpError(cause instanceof Error ? cause.message : UNKNOWN_ERROR, "network_error", 500, [], {
    cause,
  });
}

/** The connection can be lost, or the call given up, while the body is on its way. */
const readText = (response: Response, { signal }: RequestOptions) =>
  response.text().catch((cause: unknown) => {
    throw toNetworkError(cause, signal);
  });

/** The code of a call that was not sent, because nobody is signed in (specification B section 8). */
export const NO_VALID_TOKEN = "no_valid_token";

/**
 * Calls with a Bearer token where there is one. A call that the server refuses with 401 is sent once more after a renewal.
 * `isGuestRefused`: nothing is asked without a token.
 */
export function createHttp(options: HttpOptions & { session?: Credentials; isGuestRefused?: boolean }): Http {
  const { getLanguage, session, isGuestRefused } = options;
  const baseUrl = (options.baseUrl ?? import.meta.env?.VITE_API_URL ?? "").replace(/\/$/, "");
  const callFetch: typeof fetch = options.fetch ?? ((...args) => globalThis.fetch(...args));

  const toHeaders = (token: string | null | undefined, extra: RequestOptions["headers"]) => ({
    Accept: "application/json",
    "Accept-Language": getLanguage(),
    ...(token && { Authorization: `Bearer ${token}` }),
    ...options.headers?.(token ?? null),
    ...extra,
  });

  async function withToken<A extends { status: number }>(
    send: (token?: string | null) => Promise<A>,
  ): Promise<A> {
    const token = await session?.getAccessToken();
    if (isGuestRefused && !token) throw new HttpError("No valid token", NO_VALID_TOKEN, 401);
    const answer = await send(token);
    if (answer.status !== 401 || !token) return answer;
    const renewed = await session?.renewAccessToken(token);
    return renewed ? send(renewed) : answer;
  }

  async function send(path: string, call: RequestOptions, token?: string | null): Promise<Response> {
    const isForm = call.body instanceof FormData;
    const hasJson = call.body !== undefined && !isForm;
    const init: RequestInit = {
      method: call.method ?? "GET",
      headers: toHeaders(token, { ...(hasJson && { "Content-Type": "application/json" }), ...call.headers }),
    };
    if (call.body instanceof FormData) init.body = call.body;
    else if (hasJson) init.body = JSON.stringify(call.body);
    if (call.signal) init.signal = call.signal;
    if (call.keepalive) init.keepalive = true;
    try {
      return await callFetch(baseUrl + path, init);
    } catch (cause) {
      throw toNetworkError(cause, call.signal);
    }
  }

  async function requestRaw(path: string, call: RequestOptions = {}, hasAsked?: boolean): Promise<Response> {
    const response = await withToken((token) => send(path, call, token));
    if (response.ok) return response;
    const failure = toHttpError(
      response.status,
      parseJson(await readText(response, call)),
      readRetryAfter(response.headers.get("Retry-After")),
    );
    if (!hasAsked && failure.code === "step_up_required" && (await session?.confirm?.(failure)))
      return requestRaw(path, call, true);
    throw failure;
  }

  async function request<T>(path: string, call: RequestOptions & { schema?: Parser<T> } = {}) {
    const response = await requestRaw(path, call);
    return call.schema ? readAnswer(call.schema, await readText(response, call)) : undefined;
  }

  async function requestVersion<T>(path: string, call: RequestOptions & { schema: Parser<T> }) {
    const response = await requestRaw(path, call);
    const answer = readAnswer(call.schema, await readText(response, call));
    return { answer, etag: response.headers.get("ETag") ?? undefined };
  }

  async function upload<T>(path: string, form: FormData, { schema, ...rest }: UploadOptions<T>): Promise<T> {
    const url = baseUrl + path;
    const answer = await withToken(async (token) => {
      try {
        // Loaded where a form is sent: pages without one do without it.
        const { sendUpload } = await import("./upload.ts");
        return await sendUpload({ url, form, headers: toHeaders(token, {}), ...rest });
      } catch (cause) {
        throw toNetworkError(cause, rest.signal);
      }
    });
    if (answer.status < 200 || answer.status > 299)
      throw toHttpError(answer.status, parseJson(answer.text), readRetryAfter(answer.retryAfter));
    return readAnswer(schema, answer.text);
  }

  // The overloads say what the implementation's one signature can't: with a schema T, without one nothing.
  return { request: request as Http["request"], requestVersion, requestRaw, upload };
}

/**
 * Address of a file or picture of the back end, for what the browser fetches by itself (`src`, `href`): answers name them
 * without an origin, and the back end may be at another one (`VITE_API_URL`). Whole addresses stay as they are.
 */
export function toBackEndAddress(address: string, baseUrl = import.meta.env?.VITE_API_URL ?? ""): string {
  return /^\/(?!\/)/.test(address) ? baseUrl.replace(/\/$/, "") + address : address;
}
