import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type { MailReportAnswer, ReplayAnswer } from "#contract/mail-timeline.ts";
import en from "#locales/en/mail-reports.json" with { type: "json" };
import tr from "#locales/tr/mail-reports.json" with { type: "json" };
import { recordAudit } from "#server/audit/service.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { SignedIn } from "../../base/actor.ts";
import { notifyChange } from "../../db/change-notices.ts";
import { fill } from "../templates/mail-text.ts";
import { type StoredEvent, selectEventsOf } from "./event-store.ts";
import { type KeptReport, reopenReports, selectReport } from "./report-store.ts";
import { REPORT_MODEL } from "./reports.ts";

const TEXTS = { en, tr } satisfies Record<Language, Record<keyof typeof en, string>>;

interface Caller {
  actor: SignedIn;
  lang: Language;
}

/** Reports as they came, scrubbed, for superusers. Reading them again is the reader's work: it hears of it at commit. */
export interface ReportCalls {
  /** @throws AppError object_not_found, as `replayOne` does. */
  get(id: number): Promise<MailReportAnswer>;
  replayOne(id: number, caller: Caller): Promise<ReplayAnswer>;
  replayMany(which: "failed" | "all", caller: Caller): Promise<ReplayAnswer>;
}

const toIso = (moment: string) => new Date(moment).toISOString();

function toEvent(event: StoredEvent & { report_id: number }): MailReportAnswer["events"][number] {
  const { id, kind, source, bounce_type, bounce_subtype, feedback_type, status_code, diagnostic } = event;
  return {
    id,
    kind,
    source,
    created_at: toIso(event.created_at),
    occurred_at: event.occurred_at === null ? null : toIso(event.occurred_at),
    bounce_type,
    bounce_subtype,
    feedback_type,
    status_code,
    diagnostic,
    report_id: event.report_id,
  };
}

/** Why a report can't be read again. */
function toHindrance({ content }: KeptReport): keyof typeof en {
  return content === null ? "rereadBlank" : "rereadWaits";
}

export function createReportCalls({ pool }: { pool: pg.Pool }): ReportCalls {
  async function requireReport(db: Queryable, id: number): Promise<KeptReport> {
    const report = await selectReport(db, id);
    if (!report) throw new AppError("object_not_found");
    return report;
  }

  /** Opens reports for the reader, and writes down who wanted it. @returns how many. */
  async function reopen(
    db: Queryable,
    which: number | "failed" | "all",
    actor: SignedIn,
    name: string,
  ): Promise<number> {
    const count = await reopenReports(db, which);
    if (count === 0) return 0;
    await recordAudit(db, actor, {
      action: "UPDATE",
      detail: "replay_reports",
      objectRepr: name,
      changes: { count: { after: count } },
    });
    await notifyChange(db, REPORT_MODEL);
    return count;
  }

  return {
    async get(id) {
      const { received_at, ...report } = await requireReport(pool, id);
      const events = await selectEventsOf(pool, id);
      return { ...report, received_at: toIso(received_at), events: events.map(toEvent) };
    },

    replayOne: (id, { actor, lang }) =>
      withTransaction(pool, async (db) => {
        const report = await requireReport(db, id);
        const count = await reopen(db, id, actor, `${report.source} ${id}`);
        const message = TEXTS[lang][count === 0 ? toHindrance(report) : "rereadOne"];
        return { success: count > 0, message, count };
      }),

    replayMany: (which, { actor, lang }) =>
      withTransaction(pool, async (db) => {
        const count = await reopen(db, which, actor, which);
        const key = count === 0 ? "rereadNone" : count === 1 ? "rereadOne" : "rereadMany";
        return { success: count > 0, message: fill(TEXTS[lang][key], { count }), count };
      }),
  };
}
