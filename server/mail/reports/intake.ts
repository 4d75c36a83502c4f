import type { IncomingHttpHeaders } from "node:http";
import type pg from "pg";
import { withTransaction } from "#server/db/transaction.ts";
import { notifyChange } from "../../db/change-notices.ts";
import { ReportRefusedError } from "./refusals.ts";
import type { ProvenReport, ReportSource } from "./report-source.ts";
import { insertReport } from "./report-store.ts";
import { REPORT_MODEL } from "./reports.ts";
import { dropConfirmation, putConfirmation, putRefusal } from "./source-store.ts";

/** Strangers may send what is refused as often as they like: it is written down this seldom. */
const REFUSAL_EVERY_MS = 1_000;

export interface IntakeParts {
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

export function createReportIntake({ pool, log, now }: IntakeParts): ReportIntake {
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
