import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { Queryable } from "../../db/pool.ts";
import type { composeMail, MailSite } from "../compose.ts";
import type { MailSecrets } from "../secrets.ts";
import {
  checkHold,
  endIfOver,
  type Hold,
  type LeasedMessage,
  leaseMessages,
  markFailed,
  markForLater,
  markSent,
  type OwnMoment,
  type Refusal,
  renewLeases,
} from "./lease-store.ts";
import { buildMessage, parseStoredMail, type ReturnPath, type Sender, StoredMailError } from "./message.ts";
import { deliverBy, MailRefusedError, type MailTransport, readProviderId, toRefusal } from "./transports.ts";

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

/** How a log names a message, and the request that it was queued for. */
const toDetails = ({ id, kind, request_id }: LeasedMessage) => ({
  ...{ id, kind },
  ...(request_id !== null && { reqId: request_id }),
});

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
  log.error({ ...toDetails(row), attempts: row.attempts, ...outcome.fault }, "a mail is given up");
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
        { err: error, ...toDetails(row), outcome: outcome.kind, tries },
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
  /** Whether other processes send too. Alone, an attempt goes on while the database is away: nobody else takes the mail. */
  isShared?: boolean;
  steadyMs?: () => number;
}

/** What a log may say of a fault: its code, never its text, in which servers repeat addresses. */
function toFaultDetails(error: unknown): object {
  const { name, code, responseCode } = error as { name?: string; code?: string; responseCode?: number };
  return { fault: code ?? name, status: responseCode };
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
  const { pool, log, now, renewEveryMs = RENEW_EVERY_MS, isShared = false } = deps;
  const { steadyMs = () => performance.now() } = deps;
  const active = new Map<number, Hold>();
  const leasedAt = new WeakMap<LeasedMessage, OwnMoment>();
  let renewing: NodeJS.Timeout | undefined;

  const toLeaseEnd = () => new Date(now().getTime() + LEASE_MS);

  const toMoment = (): OwnMoment => ({ steadyMs: steadyMs(), wallMs: now().getTime() });

  async function send(row: LeasedMessage, hold: Hold): Promise<string> {
    const mail = parseStoredMail(row, deps.secrets);
    const origin = deps.site.getOrigin();
    const stopUrl = `${origin}/api/mail/unsubscribe/${row.token}/`;
    const composed = deps.compose(mail, { ...(await deps.site.getOwner(mail.language)), origin, stopUrl });
    return deliverBy(deps.returnPath, async (path) => {
      if (isShared) await checkHold(pool, row, hold, toMoment);
      hold.ended.signal.throwIfAborted();
      return deps.transport.deliver({
        id: row.id,
        createdAt: row.created_at,
        message: buildMessage(row, composed, deps.sender, stopUrl, path),
        signal: hold.ended.signal,
      });
    });
  }

  /** Undefined: the mail is another process's by now. */
  async function trySending(row: LeasedMessage, hold: Hold): Promise<Outcome | undefined> {
    const details = { ...toDetails(row), attempt: row.attempts };
    try {
      const response = await send(row, hold);
      log.debug(details, "a mail was sent");
      return { kind: "sent", response };
    } catch (error) {
      if (hold.ended.signal.aborted) {
        log.warn(details, "a mail was not sent: its lease ended before");
        return undefined;
      }
      const response = error instanceof Error ? error.message : String(error);
      const isFinal = error instanceof MailRefusedError || error instanceof StoredMailError;
      const fault = toFaultDetails(isFinal ? (error.cause ?? error) : error);
      log.warn({ ...details, ...fault }, "a mail was not sent");
      if (!isFinal) return { kind: "later", response, fault };
      return {
        kind: "refused",
        response,
        fault,
        refusal: error instanceof StoredMailError ? { kind: "failed" } : toRefusal(error),
      };
    }
  }

  /** The row stays in hand, and its lease is renewed, until its result is written. */
  async function handle(row: LeasedMessage, hold: Hold): Promise<void> {
    const outcome = await trySending(row, hold);
    if (outcome) await recordOutcome(deps, row, outcome);
  }

  function endOver(): void {
    if (isShared) for (const hold of active.values()) endIfOver(hold, toMoment());
  }

  let isRenewing = false;

  async function renew(): Promise<void> {
    // The database says nothing to the renewal before. Where it answers, a lease that is merely late is kept.
    if (isRenewing) return endOver();
    isRenewing = true;
    const since = toMoment();
    const held = [...active];
    const leases = held.map(([id, { attempts }]) => ({ id, attempts }));
    try {
      const renewed = await renewLeases(pool, leases, toLeaseEnd());
      for (const [id, hold] of held) {
        const at = renewed.get(id);
        if (at !== undefined) hold.since = { ...since, databaseMs: Date.parse(at) };
      }
    } catch (error) {
      log.error({ err: error }, "mails that are being sent could not be kept");
    }
    isRenewing = false;
    endOver();
  }

  function start(row: LeasedMessage): void {
    renewing ??= setInterval(() => void renew(), renewEveryMs).unref();
    const hold: Hold = {
      attempts: row.attempts,
      since: { ...(leasedAt.get(row) ?? toMoment()), databaseMs: Date.parse(row.leased_at) },
      ended: new AbortController(),
      work: Promise.resolve(),
    };
    active.set(row.id, hold);
    hold.work = handle(row, hold).then(() => {
      active.delete(row.id);
      if (active.size === 0) {
        clearInterval(renewing);
        renewing = undefined;
      }
      onDone(row.id);
    });
  }

  return {
    async lease(db, onlyId) {
      const limit = MAX_AT_ONCE - active.size;
      if (limit <= 0) return [];
      const inHand = [...active.keys()];
      const { addressSecrets } = deps.secrets;
      const since = toMoment();
      const leased = await leaseMessages(db, {
        now: now(),
        leaseUntil: toLeaseEnd(),
        limit,
        inHand,
        addressSecrets,
        onlyId,
      });
      for (const row of leased) leasedAt.set(row, since);
      return leased;
    },
    begin(leased) {
      for (const row of leased) {
        if (row.status === "sending") start(row);
        else {
          const what = row.status === "held" ? "a mail waits for a release" : "a mail is not sent any more";
          log.info({ ...toDetails(row), status: row.status }, what);
          onDone(row.id);
        }
      }
    },
    async settle() {
      while (active.size > 0) await Promise.all([...active.values()].map(({ work }) => work));
    },
  };
}
