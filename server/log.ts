import { type DestinationStream, type Logger, pino } from "pino";
import { build as buildPretty } from "pino-pretty";
import { getAwayRequestId } from "./base/actor.ts";
import type { Config } from "./config.ts";

/**
 * Whole e-mail addresses never reach a log: `a***@example.org`. Looked for from the beginning of a word alone: from each of its letters
 * it would take hours for a text of a megabyte.
 */
const EMAIL = /(?<![\w.+-])([\w.+-])[\w.+-]*@([\w-]+\.[\w.-]+)/g;

export function maskEmails(text: string): string {
  return text.replaceAll(EMAIL, "$1***@$2");
}

/** Names under which secrets travel; wherever one stands two levels deep, its value is left out. */
const SECRETS = [
  "password",
  "password_confirm",
  "refresh",
  "refresh_token",
  "access",
  "access_token",
  "otp_code",
  "token",
  "authorization",
  "cookie",
];

/** Of a database that ends, and of connections that it or a client left. */
const ENDED: ReadonlySet<unknown> = new Set([
  "57P01",
  "57P02",
  "57P03",
  "EPIPE",
  "ECONNRESET",
  "ECONNREFUSED",
]);

/** Where such a fault was read says nothing; a stop of all processes at once, as systemd does it, brings many of them. */
function isEnd({ code, message }: Record<string, unknown>): boolean {
  return ENDED.has(code) || /^Connection terminated/.test(String(message));
}

function toSafeError(error: unknown): object {
  const { stack: _stack, ...safe } = pino.stdSerializers.err(error as Error) as unknown as Record<
    string,
    unknown
  >;
  for (const [name, value] of Object.entries(safe))
    if (typeof value === "string") safe[name] = maskEmails(value);
  // Statements and their values stand in pg's errors; the stack repeats the message.
  const {
    query: _query,
    parameters: _parameters,
    detail: _detail,
    where: _where,
    aggregateErrors: _all,
    ...rest
  } = safe;
  if (isEnd(rest)) return rest;
  return { ...rest, stack: maskEmails(String((error as Error | undefined)?.stack ?? "")) };
}

/** The process's log: readable lines on a terminal, JSON otherwise. */
export function createLog(
  config: Pick<Config, "logLevel"> & Partial<Pick<Config, "launched">>,
  destination?: DestinationStream,
): Logger {
  const isTerminal = process.stdout.isTTY === true && !destination;
  return pino(
    {
      level: config.logLevel,
      // Of several processes each names itself.
      base: config.launched ? { process: config.launched.number } : null,
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), remove: true },
      serializers: { err: toSafeError },
      mixin() {
        const reqId = getAwayRequestId();
        return reqId === undefined ? {} : { reqId };
      },
      hooks: {
        logMethod(parameters, method) {
          const masked = parameters.map((part) => (typeof part === "string" ? maskEmails(part) : part));
          method.apply(this, masked as typeof parameters);
        },
      },
    },
    destination ??
      (isTerminal
        ? buildPretty({ colorize: true, ignore: "pid,hostname", translateTime: "HH:MM:ss" })
        : process.stdout),
  );
}
