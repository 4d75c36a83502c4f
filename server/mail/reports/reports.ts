import type { IncomingHttpHeaders } from "node:http";
import type pg from "pg";
import type { ChangeFeed } from "../../db/change-feed.ts";
import { notifyChange } from "../../db/change-notices.ts";
import { isEndedForAnother, withRetriedTransaction, withTransaction } from "../../db/transaction.ts";
import { isUnavailable } from "../../http/error-handler.ts";
import { MESSAGE_MODEL } from "../outbox/message.ts";
import { matchEvent, putEvents, selectMessagesOf, selectRefused } from "./event-store.ts";
import { type ProvenReport, ReportRefusedError, type ReportSource } from "./report-source.ts";
import {
  dropConfirmation,
  insertReport,
  lockUnread,
  markRead,
  markUnreadable,
  putConfirmation,
  putRefusal,
  reopenMatched,
  type StoredReport,
} from "./report-store.ts";
import { type SettleDeps, settleMail } from "./settle-mail.ts";

/** Raised with every change of what `read` makes of a report: a replay then supersedes what was read before. */
const PARSER_VERSION = 1;

export const REPORT_MODEL = "mail.report";
const EVENT_MODEL = "mail.event";

/** Whatever notice was lost, nothing waits longer than this. */
const LOOK_EVERY_MS = 30_000;
/** A mail that was sent may be one that a report is waiting for; many are sent together. */
const AFTER_SENDING_MS = 1_000;
/** After a look that failed. */
const RETRY_MS = 5_000;

export interface ReaderDeps extends SettleDeps {
  pool: pg.Pool;
  feed: Pick<ChangeFeed, "subscribe">;
  sources: readonly Pick<ReportSource, "name" | "read">[];
  log: Record<"warn" | "error", (details: object, message: string) => void>;
}

/** Reads stored reports: at once in the process that took one, and from the database whatever a crash left. */
export interface ReportReader {
  start(): void;
  /** Reads all that is there. @throws what the database throws. */
  readAll(): Promise<void>;
  /** Waits for what is being read. */
  close(): Promise<void>;
}

async function readReport(db: pg.PoolClient, deps: ReaderDeps, report: StoredReport): Promise<void> {
  const { id: reportId, source } = report;
  const reader = deps.sources.find(({ name }) => name === source);
  // The way in may be switched off by now; what it reported is read when it is back.
  if (!reader) throw new Error(`The way in "${source}" is not set up.`);
  const events = report.content === null ? [] : reader.read(report.content);
  const before = await selectMessagesOf(db, reportId);
  const matched = [];
  for (const event of events) matched.push(await matchEvent(db, source, event));
  await putEvents(db, { source, reportId, parserVersion: PARSER_VERSION, now: deps.now() }, matched);
  const named = matched.flatMap(({ messageId }) => (messageId === null ? [] : [messageId]));
  // In the order of their numbers: two reports of the same mails never wait for each other.
  for (const id of [...new Set([...before, ...named])].sort((a, b) => a - b)) await settleMail(db, deps, id);
  await markRead(db, reportId, PARSER_VERSION);
  await notifyChange(db, EVENT_MODEL);
}

type Step = "none" | "read" | { failed: StoredReport; error: unknown };

export function createReportReader(deps: ReaderDeps): ReportReader {
  const { pool, feed, log } = deps;
  let state: "new" | "open" | "closed" = "new";
  let looking: Promise<void> | undefined;
  let isAskedAgain = false;
  let timer: NodeJS.Timeout | undefined;
  let afterSending: NodeJS.Timeout | undefined;

  /** One report in a transaction of its own. What can't be read is named, so that it is passed by from then on. */
  async function step(): Promise<Step> {
    let report: StoredReport | undefined;
    try {
      return await withRetriedTransaction(pool, async (db) => {
        report = await lockUnread(db);
        if (!report) return "none";
        await readReport(db, deps, report);
        return "read";
      });
    } catch (error) {
      // A database that is away, or busy with another, says nothing of the report: it is read later.
      if (!report || isUnavailable(error) || isEndedForAnother(error)) throw error;
      return { failed: report, error };
    }
  }

  async function readAll(): Promise<void> {
    await reopenMatched(pool);
    // The outbox writes what the next server said and knows nothing of triage.
    for (const id of await selectRefused(pool))
      await withRetriedTransaction(pool, (db) => settleMail(db, deps, id));
    for (let done = await step(); done !== "none"; done = await step()) {
      if (done === "read") continue;
      const { failed, error } = done;
      log.error({ err: error, id: failed.id, source: failed.source }, "a report of mails can't be read");
      await markUnreadable(pool, failed.id, error instanceof Error ? error.message : String(error));
      await notifyChange(pool, REPORT_MODEL);
    }
  }

  /** One look at a time; a call meanwhile makes it look once more. */
  function wake(): void {
    if (state !== "open") return;
    isAskedAgain = true;
    looking ??= look().then((waitMs) => {
      looking = undefined;
      clearTimeout(timer);
      if (state !== "open") return;
      if (isAskedAgain) wake();
      else timer = setTimeout(wake, waitMs).unref();
    });
  }

  async function look(): Promise<number> {
    isAskedAgain = false;
    try {
      await readAll();
      return LOOK_EVERY_MS;
    } catch (error) {
      log.error({ err: error }, "reports of mails can't be read now");
      return RETRY_MS;
    }
  }

  function wakeSoon(): void {
    afterSending ??= setTimeout(() => {
      afterSending = undefined;
      wake();
    }, AFTER_SENDING_MS).unref();
  }

  feed.subscribe((modelKey) => {
    if (modelKey === REPORT_MODEL || modelKey === undefined) wake();
    else if (modelKey === MESSAGE_MODEL) wakeSoon();
  });

  return {
    start() {
      state = "open";
      wake();
    },
    readAll,
    async close() {
      state = "closed";
      clearTimeout(timer);
      clearTimeout(afterSending);
      await looking;
    },
  };
}

/** Strangers may send what is refused as often as they like: it is written down this seldom. */
const REFUSAL_EVERY_MS = 1_000;

export interface IntakeDeps {
  pool: pg.Pool;
  log: Record<"warn", (details: object, message: string) => void>;
  now: () => Date;
}

export interface ReportIntake {
  /**
   * Proves a report and stores it: when this resolves, it is there for good, and the reader knows. One that was there already, or
   * holds nothing that is kept, is fine too.
   * @throws ReportRefusedError, or what the database throws: then the sender is to try again.
   */
  take(
    source: ReportSource,
    raw: Buffer,
    headers: IncomingHttpHeaders,
    ipAddress?: string | null,
  ): Promise<void>;
  /** The same for a report that its way in has proven. */
  store(name: string, report: ProvenReport): Promise<void>;
  /** Something came by this way that was not taken: staff see the last reason. */
  refuse(name: string, reason: string): Promise<void>;
}

export function createReportIntake({ pool, log, now }: IntakeDeps): ReportIntake {
  const refusedAt = new Map<string, number>();

  async function refuse(name: string, reason: string): Promise<void> {
    log.warn({ source: name, reason }, "a report of mails was refused");
    const at = now().getTime();
    if (at - (refusedAt.get(name) ?? 0) < REFUSAL_EVERY_MS) return;
    refusedAt.set(name, at);
    await putRefusal(pool, name, reason.slice(0, 500), now());
  }

  /** It is refused also where that can't be written down. */
  async function tryToRefuse(name: string, reason: string): Promise<void> {
    try {
      await refuse(name, reason);
    } catch (error) {
      log.warn({ err: error, source: name }, "why a report was refused could not be written down");
    }
  }

  async function store(name: string, report: ProvenReport): Promise<void> {
    await withTransaction(pool, async (db) => {
      if (report.confirmation) return putConfirmation(db, name, report.confirmation, now());
      if (!(await insertReport(db, name, report, now()))) return;
      await dropConfirmation(db, name);
      await notifyChange(db, REPORT_MODEL);
    });
  }

  return {
    async take(source, raw, headers, ipAddress) {
      let report: ProvenReport | undefined;
      try {
        report = await source.verify(raw, headers, ipAddress);
      } catch (error) {
        if (error instanceof ReportRefusedError) await tryToRefuse(source.name, error.message);
        throw error;
      }
      if (report) await store(source.name, report);
    },
    store,
    refuse,
  };
}
