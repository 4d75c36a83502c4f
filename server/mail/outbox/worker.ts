import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { Queryable } from "../../db/pool.ts";
import type { composeMail, MailSite } from "../compose.ts";
import { classifyFailure } from "../diagnostics.ts";
import type { MailSecrets } from "../secrets.ts";
import {
  type LeasedMessage,
  leaseMessages,
  markFailed,
  markForLater,
  markSent,
  type Refusal,
  renewLeases,
} from "./lease-store.ts";
import {
  buildMessage,
  parseStoredMail,
  type ReturnPath,
  type ReturnPathKind,
  type Sender,
  StoredMailError,
} from "./message.ts";
import {
  findSenderRefusal,
  isBehindSender,
  MailRefusedError,
  type MailTransport,
  readProviderId,
} from "./transports.ts";

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
interface Outcome {
  kind: "sent" | "refused" | "later";
  response: string;
  /** Of a final no. */
  refusal?: Refusal;
  fault?: object;
}

interface RecordDeps {
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
async function recordOutcome(deps: RecordDeps, row: LeasedMessage, outcome: Outcome): Promise<void> {
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

const MAX_AT_ONCE = 3;
/** What a process that died was sending is free again after this. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;

export interface WorkerDeps extends RecordDeps {
  secrets: MailSecrets;
  transport: MailTransport;
  sender: Sender;
  returnPath: ReturnPath;
  compose: typeof composeMail;
  site: {
    /** Whose site it is, perhaps empty, and what they say in mails. */
    getOwner(lang: Language): Promise<Pick<MailSite, "name" | "words" | "accent">>;
    /** Where its pages are, without a trailing slash. */
    getOrigin(): string;
  };
  log: Record<"debug" | "info" | "warn" | "error", (details: object, message: string) => void>;
  renewEveryMs?: number;
}

/** What a log may say of a fault: its code, never its text, in which servers repeat addresses. */
function toFaultDetails(error: unknown): object {
  const { name, code, responseCode } = error as { name?: string; code?: string; responseCode?: number };
  return { fault: code ?? name, status: responseCode };
}

/**
 * What a final no means. Only a code of the address, said to the address, is a return: a quota, a sandbox, a relay that doesn't
 * know us or what a filter thinks of the text condemns nobody's address.
 */
function toRefusal(error: MailRefusedError | StoredMailError): Refusal {
  if (error instanceof StoredMailError) return { kind: "failed" };
  const { message: diagnostic, isOfRecipient } = error;
  const statusCode = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(diagnostic)?.[1];
  const { type, subtype, isCertain } = classifyFailure({ statusCode, diagnostic });
  const isAddress = isOfRecipient && type === "Permanent" && isCertain;
  return isAddress
    ? { kind: "bounced", statusCode, bounceSubtype: subtype }
    : { kind: "rejected", statusCode };
}

/** Sends what the outbox holds. */
export interface OutboxWorker {
  /**
   * Takes what is due as far as there is room. `onlyId`: that message and no other.
   * @throws what the database throws: then nothing was taken.
   */
  lease(db: Queryable, onlyId?: number): Promise<LeasedMessage[]>;
  /** Begins to send what was leased. */
  begin(leased: readonly LeasedMessage[]): void;
  /** Resolves when nothing is being sent. Never throws. */
  settle(): Promise<void>;
}

/** `onDone` is called for each message that leaves room for another, when what became of it is written. */
export function createOutboxWorker(deps: WorkerDeps, onDone: (id: number) => void = () => {}): OutboxWorker {
  const { pool, log, now, renewEveryMs = RENEW_EVERY_MS } = deps;
  const active = new Map<number, Promise<void>>();
  let renewing: NodeJS.Timeout | undefined;

  const toLeaseEnd = () => new Date(now().getTime() + LEASE_MS);

  async function send(row: LeasedMessage): Promise<string> {
    const mail = parseStoredMail(row, deps.secrets);
    const origin = deps.site.getOrigin();
    const stopUrl = `${origin}/api/mail/unsubscribe/${row.token}/`;
    const composed = deps.compose(mail, { ...(await deps.site.getOwner(mail.language)), origin, stopUrl });
    return deliver((path) =>
      deps.transport.deliver({
        id: row.id,
        createdAt: row.created_at,
        message: buildMessage(row, composed, deps.sender, stopUrl, path),
      }),
    );
  }

  /** Where the server refuses a return path of the mail's own, it goes at once with the sender's plain address. */
  async function deliver(hand: (path: ReturnPathKind) => Promise<string>): Promise<string> {
    const { returnPath } = deps;
    if ((await returnPath.choose()) === "sender") return hand("sender");
    try {
      const response = await hand("verp");
      await returnPath.noteTaken();
      return response;
    } catch (error) {
      const answer = findSenderRefusal(error);
      if (answer === undefined) throw error;
      return handPlain(
        () => hand("sender"),
        () => returnPath.noteRefused(answer),
      );
    }
  }

  /** Only a server that takes the plain address is remembered: one that refuses that too refuses us. */
  async function handPlain(hand: () => Promise<string>, noteRefused: () => Promise<void>): Promise<string> {
    try {
      const response = await hand();
      await noteRefused();
      return response;
    } catch (error) {
      if (isBehindSender(error)) await noteRefused();
      throw error;
    }
  }

  async function trySending(row: LeasedMessage): Promise<Outcome> {
    const details = { id: row.id, kind: row.kind, attempt: row.attempts };
    try {
      const response = await send(row);
      log.debug(details, "a mail was sent");
      return { kind: "sent", response };
    } catch (error) {
      const response = error instanceof Error ? error.message : String(error);
      const isFinal = error instanceof MailRefusedError || error instanceof StoredMailError;
      const fault = toFaultDetails(isFinal ? (error.cause ?? error) : error);
      log.warn({ ...details, ...fault }, "a mail was not sent");
      if (!isFinal) return { kind: "later", response, fault };
      return { kind: "refused", response, fault, refusal: toRefusal(error) };
    }
  }

  /** The row stays in hand, and its lease is renewed, until its result is written. */
  async function handle(row: LeasedMessage): Promise<void> {
    await recordOutcome(deps, row, await trySending(row));
  }

  function renew(): void {
    renewLeases(pool, [...active.keys()], toLeaseEnd()).catch((error: unknown) =>
      log.error({ err: error }, "mails that are being sent could not be kept"),
    );
  }

  function start(row: LeasedMessage): void {
    renewing ??= setInterval(renew, renewEveryMs).unref();
    const work = handle(row).then(() => {
      active.delete(row.id);
      if (active.size === 0) {
        clearInterval(renewing);
        renewing = undefined;
      }
      onDone(row.id);
    });
    active.set(row.id, work);
  }

  return {
    async lease(db, onlyId) {
      const limit = MAX_AT_ONCE - active.size;
      if (limit <= 0) return [];
      const inHand = [...active.keys()];
      const { addressSecrets } = deps.secrets;
      return leaseMessages(db, {
        now: now(),
        leaseUntil: toLeaseEnd(),
        limit,
        inHand,
        addressSecrets,
        onlyId,
      });
    },
    begin(leased) {
      for (const row of leased) {
        if (row.status === "sending") start(row);
        else {
          const what = row.status === "held" ? "a mail waits for a release" : "a mail is not sent any more";
          log.info({ id: row.id, kind: row.kind, status: row.status }, what);
          onDone(row.id);
        }
      }
    },
    async settle() {
      while (active.size > 0) await Promise.all(active.values());
    },
  };
}
