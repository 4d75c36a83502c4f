import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { classifyFailure } from "../diagnostics.ts";
import { type LeasedMessage, markFailed, markForLater, markSent, type Refusal } from "./lease-store.ts";
import { StoredMailError } from "./message.ts";
import { type MailRefusedError, readProviderId } from "./transports.ts";

const MINUTE_MS = 60_000;
/** Waits after the first, second … attempt that may succeed later; the last one holds for all that follow. */
const BACKOFF_MS = [30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS] as const;
const LONGEST_WAIT_MS = BACKOFF_MS[4];
/** A long weekend without a mail server loses nothing. What nobody wants any more ends earlier: codes expire. */
const GIVE_UP_MS = 4 * 24 * 60 * MINUTE_MS;
/** So that what failed together is not tried together again. */
const JITTER = 0.1;
/** No attempt is put off for longer. */
export const LATEST_ATTEMPT_MS = LONGEST_WAIT_MS * (1 + JITTER);
const MAX_RESPONSE_CHARS = 500;
/** A result is worth waiting for the database: without it a mail that was sent is sent again. */
const RECORD_TRIES = 8;
const RECORD_AGAIN_MS = 1_000;

/** What became of one attempt. `fault` is what a log may say of it. */
export interface Outcome {
  kind: "sent" | "refused" | "later";
  response: string;
  /** Of a final no. */
  refusal?: Refusal;
  fault?: object;
}

export interface RecordDeps {
  pool: pg.Pool;
  log: Record<"error", (details: object, message: string) => void>;
  now: () => Date;
  /** From 0 to 1. */
  random?: () => number;
  /** Waits so many milliseconds. */
  pause?: (ms: number) => Promise<unknown>;
}

/** One line without control characters, as long as a column of a list can bear. */
function toResponse(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, MAX_RESPONSE_CHARS);
}

/** How long a message waits for its next attempt; undefined when it had all it gets. */
function toWait({ attempts, created_at }: LeasedMessage, now: Date): number | undefined {
  const isYoung = now.getTime() - Date.parse(created_at) < GIVE_UP_MS;
  return BACKOFF_MS[attempts - 1] ?? (isYoung ? LONGEST_WAIT_MS : undefined);
}

async function record(
  { pool, log, random = Math.random }: RecordDeps,
  row: LeasedMessage,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  const result = { id: row.id, attempts: row.attempts, response: toResponse(outcome.response), now };
  if (outcome.kind === "sent") return markSent(pool, result, readProviderId(outcome.response));
  if (outcome.kind === "refused") return markFailed(pool, result, outcome.refusal ?? { kind: "failed" });
  const wait = toWait(row, now);
  if (wait !== undefined)
    return markForLater(pool, result, new Date(now.getTime() + wait * (1 + JITTER * random())));
  await markFailed(pool, result, { kind: "failed" });
  log.error({ id: row.id, kind: row.kind, attempts: row.attempts, ...outcome.fault }, "a mail is given up");
}

/** Writes down what became of an attempt, and waits for a database that is away for moments. Never throws. */
export async function recordOutcome(deps: RecordDeps, row: LeasedMessage, outcome: Outcome): Promise<void> {
  const { log, pause = sleep } = deps;
  const now = deps.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await record(deps, row, outcome, now);
    } catch (error) {
      const isLast = tries === RECORD_TRIES;
      log.error(
        { err: error, id: row.id, outcome: outcome.kind, tries },
        isLast ? "what became of a mail is not recorded" : "what became of a mail could not be recorded yet",
      );
      if (isLast) return;
    }
    await pause(RECORD_AGAIN_MS);
  }
}

/** What a log may say of a fault: its code, never its text, in which servers repeat addresses. */
export function toFaultDetails(error: unknown): object {
  const { name, code, responseCode } = error as { name?: string; code?: string; responseCode?: number };
  return { fault: code ?? name, status: responseCode };
}

/**
 * What a final no means. Only a code of the address, said to the address, is a return: a quota, a sandbox, a relay that doesn't
 * know us or what a filter thinks of the text condemns nobody's address.
 */
export function toRefusal(error: MailRefusedError | StoredMailError): Refusal {
  if (error instanceof StoredMailError) return { kind: "failed" };
  const { message: diagnostic, isOfRecipient } = error;
  const statusCode = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(diagnostic)?.[1];
  const { type, subtype, isCertain } = classifyFailure({ statusCode, diagnostic });
  const isAddress = isOfRecipient && type === "Permanent" && isCertain;
  return isAddress
    ? { kind: "bounced", statusCode, bounceSubtype: subtype }
    : { kind: "rejected", statusCode };
}
