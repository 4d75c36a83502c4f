import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ERRORS, type ErrorCode, type ErrorEnvelope } from "#contract/errors.ts";
import type { Language } from "#contract/languages.ts";
import { LIMITS } from "#contract/limits.ts";
import { AppError, toErrorText, toFieldErrors } from "../base/errors.ts";
import { DATA_CSP } from "./pages/policies.ts";
import { getApiLanguage } from "./request.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set where the database had no room for what the request writes; the health page says so. */
    foundDatabaseFull?: boolean;
  }
}

/** PostgreSQL's `disk_full`. */
const DATABASE_DISK_FULL = "53100";

/** Whether a failed statement found no room on the database's disk. */
export function isDatabaseFull(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === DATABASE_DISK_FULL; // pg puts it there
}

/** Fastify's and PostgreSQL's own failures that are a client's fault or a passing state. */
const KNOWN: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "body_too_large",
  FST_REQ_FILE_TOO_LARGE: "body_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported_media_type",
  FST_INVALID_MULTIPART_CONTENT_TYPE: "unsupported_media_type",
  FST_ERR_CTP_INVALID_JSON_BODY: "malformed_body",
  FST_ERR_CTP_EMPTY_JSON_BODY: "malformed_body",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "malformed_body",
  FST_ERR_BAD_URL: "not_found",
  FST_ERR_MAX_PARAM_LENGTH: "not_found",
  // A text that PostgreSQL can't hold, a NUL most of all, that no check found before.
  "22021": "malformed_body",
  // The way to the database, as Node names its faults: no answer, no such host, no route.
  ECONNREFUSED: "unavailable",
  ETIMEDOUT: "unavailable",
  ENOTFOUND: "unavailable",
  EAI_AGAIN: "unavailable",
  EHOSTUNREACH: "unavailable",
  ENETUNREACH: "unavailable",
  // The database itself: stopping, starting, no connection free, a lock that isn't given up.
  "57P01": "unavailable",
  "57P02": "unavailable",
  "57P03": "unavailable",
  "53300": "unavailable",
  "55P03": "unavailable",
  // Ended for another's sake, and taken back whole: the same asked again may do.
  "40P01": "unavailable",
  "40001": "unavailable",
  // No room for a file of ours (disk or quota), or for the database.
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
  [DATABASE_DISK_FULL]: "disk_full",
  // It can't write: out of memory, a broken disk, read-only. A client that sends again later loses nothing.
  "53200": "unavailable",
  "58030": "unavailable",
  "25006": "unavailable",
  "57014": "request_timeout",
};

/** Of a connection's socket, by what was tried on it. A browser that went away is told by the same code without that. */
const LOST_SOCKET: Record<string, readonly string[]> = {
  // The built-in database is being started again: its socket isn't there.
  ENOENT: ["connect"],
  ECONNRESET: ["read", "write", "connect"],
  EPIPE: ["write"],
};

/** What pg says, without a code, of a connection that broke or could not be had in time. */
const LOST_DATABASE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

const MEGABYTE = 1024 * 1024;
/** What is passing may be over by then. */
const UNAVAILABLE_RETRY_S = 2;

/** The code of the table for a fault of Fastify, PostgreSQL or the way to it; undefined for any other thrown thing. */
function findKnown(fault: FastifyError): ErrorCode | undefined {
  const { code, message, syscall } = fault as FastifyError & { syscall?: unknown }; // Node puts it on its faults
  if (LOST_SOCKET[code]?.includes(String(syscall))) return "unavailable";
  return KNOWN[code] ?? (LOST_DATABASE.test(message) ? "unavailable" : undefined);
}

/** Whether it is the database that can't work now, so that the same may be tried again later. */
export function isUnavailable(error: unknown): boolean {
  const code = findKnown(error as FastifyError); // as in `toAppError`
  return code === "unavailable" || code === "disk_full";
}

/** Any thrown thing as an error of the table. */
function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const fault = error as FastifyError; // Fastify and pg put a code on theirs; a missing one is looked up in vain
  const code = findKnown(fault);
  const maxBytes =
    fault.code === "FST_ERR_CTP_BODY_TOO_LARGE"
      ? (request.routeOptions.bodyLimit ?? LIMITS.jsonBodyMaxBytes)
      : LIMITS.uploadMaxBytes;
  const vars = { max: maxBytes < MEGABYTE ? `${maxBytes / 1024} kB` : `${maxBytes / MEGABYTE} MB` };
  const retry = code === "unavailable" && { retryAfterS: UNAVAILABLE_RETRY_S };
  if (code) return new AppError(code, { vars, cause: error, ...retry });
  return new AppError(fault.statusCode && fault.statusCode < 500 ? "malformed_body" : "internal", {
    cause: error,
  });
}

/** The documented answer of a failed call, in the language of the request. */
function toEnvelope(error: AppError, requestId: string, lang: Language): ErrorEnvelope {
  const message = toErrorText(ERRORS[error.code].public ? error.code : "internal", lang, error.vars);
  return {
    ...error.extra,
    message,
    code: error.code,
    status: error.status,
    errors: toFieldErrors(error.fields, lang),
    detail: message,
    error: message,
    request_id: requestId,
  };
}

function prepareError(
  error: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
  lang: Language,
): ErrorEnvelope {
  if (error.retryAfterS !== undefined) reply.header("Retry-After", Math.ceil(error.retryAfterS));
  reply.status(error.status).header("Cache-Control", "no-store");
  return toEnvelope(error, request.id, lang);
}

function sendError(
  error: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
  lang = getApiLanguage(request),
) {
  const envelope = prepareError(error, request, reply, lang);
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(envelope));
}

/** Of 403, what a person's own browser answers by a question; the others are tries of what somebody may not do. */
const ASKS_AGAIN: ReadonlySet<ErrorCode> = new Set(["step_up_required"]);

/** Writes down who tried what they may not do: the number of the person, and nothing that they sent. */
function logForbidden({ code, status }: AppError, request: FastifyRequest): void {
  if (status !== 403 || !request.actor || ASKS_AGAIN.has(code)) return;
  const { userId, level, ipAddress: address } = request.actor;
  const path = request.url.split("?", 1)[0];
  request.log.warn({ userId, level, address, method: request.method, path, code }, "not permitted");
}

/** What isn't expected is logged whole, what somebody may not do in a line. */
function readFailure(thrown: unknown, request: FastifyRequest): AppError {
  const error = toAppError(thrown, request);
  if (isDatabaseFull(error.cause)) request.foundDatabaseFull = true;
  if (error.status >= 500)
    request.log.error({ err: error.cause ?? thrown, code: error.code }, "request failed");
  logForbidden(error, request);
  return error;
}

/**
 * For routes that put a failure into an answer of their own: logs what isn't expected, sets status and headers, and gives
 * the envelope that any other route would answer.
 */
export function prepareFailure(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  lang = getApiLanguage(request),
): ErrorEnvelope {
  return prepareError(readFailure(thrown, request), request, reply, lang);
}

/** The one place that turns failures into answers. What isn't expected is logged whole and answered as "An error occurred". */
export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => {
    const error = readFailure(thrown, request);
    if (reply.raw.headersSent) {
      // A stream broke half-way: only ending the connection shows that to the client.
      reply.raw.destroy();
      return reply;
    }
    return sendError(error, request, reply);
  });
}

/** Answers what fails before any route or hook runs: an address that can't be decoded, or has an endless part. */
export function sendFrameworkError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header("X-Request-Id", request.id)
    .header("X-Content-Type-Options", "nosniff")
    .header("Referrer-Policy", "strict-origin-when-cross-origin")
    .header("Content-Security-Policy", DATA_CSP);
  // Such a request has none of the plugins' parts, cookies and `accepts` among them.
  const lang = request.headers["accept-language"]?.startsWith("tr") ? "tr" : "en";
  sendError(toAppError(thrown, request), request, reply, lang);
}

/** Answers addresses under `/api/` and others that no page stands for. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply) {
  return sendError(new AppError("not_found"), request, reply);
}
