import type { FastifyRequest } from "fastify";
import type pg from "pg";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import {
  type MailReportAnswer,
  mailReportAnswer,
  type ReplayAnswer,
  replayAnswer,
  replayRequest,
} from "#contract/mail/messages.ts";
import en from "#locales/en/mail-reports.json" with { type: "json" };
import tr from "#locales/tr/mail-reports.json" with { type: "json" };
import { recordAudit } from "../../audit/service.ts";
import type { SignedIn } from "../../base/actor.ts";
import { AppError } from "../../base/errors.ts";
import { notifyChange } from "../../db/change-notices.ts";
import type { Queryable } from "../../db/pool.ts";
import { withTransaction } from "../../db/transaction.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "../../http/bearer.ts";
import { noStore } from "../../http/caching.ts";
import { getApiLanguage } from "../../http/request.ts";
import { type App, rowParams } from "../../http/zod.ts";
import { fill } from "../content.ts";
import { type StoredEvent, selectEventsOf } from "./event-store.ts";
import { ReportRefusedError, type ReportSource } from "./report-source.ts";
import { reopenReports, type ShownReport, selectReport } from "./report-store.ts";
import { REPORT_MODEL, type ReportIntake } from "./reports.ts";

const response = { 200: z.object({ success: z.literal(true) }) };
const schema = { tags: ["mail"], summary: "A provider reports what became of mails", response };

/**
 * Where providers report what became of mails. 200: stored, or nothing to store. 4xx: refused, and the same would be refused again.
 * 503: the database can't take it now, so send it again. Each has an address and a limit of its own.
 */
export async function registerMailWebhooks(
  app: App,
  sources: readonly ReportSource[],
  intake: Pick<ReportIntake, "take">,
): Promise<void> {
  await app.register(async (scope) => {
    // The signature is over the bytes, and Amazon calls its JSON text/plain.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    // What isn't set up is not there, whatever is posted to it.
    const notFound = async () => {
      throw new AppError("not_found");
    };
    scope.post(
      "/api/mail/webhooks/:provider/",
      { onRequest: [noStore, notFound], schema: { hide: true } },
      notFound,
    );
    for (const source of sources) {
      scope.post(
        `/api/mail/webhooks/${source.name}/`,
        { onRequest: noStore, bodyLimit: source.bodyMaxBytes, schema },
        async (request) => {
          const raw = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
          try {
            await intake.take(source, raw, request.headers, request.ip);
          } catch (error) {
            if (!(error instanceof ReportRefusedError)) throw error;
            // The reason is the staff's: it would show a forger what to mend.
            throw new AppError(error.status === 400 ? "malformed_body" : "permission_denied");
          }
          return { success: true } as const;
        },
      );
    }
  });
}

const TEXTS = { en, tr } satisfies Record<Language, Record<keyof typeof en, string>>;

interface Caller {
  actor: SignedIn;
  lang: Language;
}

/** Reports as they came, scrubbed, for superusers. Reading them again is the reader's work: it is notified at commit. */
interface ReportCalls {
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
function toHindrance({ content }: ShownReport): keyof typeof en {
  return content === null ? "rereadBlank" : "rereadWaits";
}

export function createReportCalls({ pool }: { pool: pg.Pool }): ReportCalls {
  async function requireReport(db: Queryable, id: number): Promise<ShownReport> {
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

/** Reports as they came are for level 999 alone, and stand in no list and no export. */
export function registerReportRoutes(
  app: App,
  { calls, requireLevel }: { calls: ReportCalls; requireLevel: RequireLevel },
): void {
  const guard = { onRequest: requireLevel(ACCESS_LEVEL.superuser) };
  const about = { tags: ["mail"], security: SIGNED_IN };
  const toCaller = (request: FastifyRequest) => ({
    actor: requireActor(request),
    lang: getApiLanguage(request),
  });

  app.get(
    "/api/mail/reports/:id/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "A report as it came",
        params: rowParams,
        response: { 200: mailReportAnswer },
      },
    },
    (request) => calls.get(request.params.id),
  );

  app.post(
    "/api/mail/reports/:id/replay/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "Read a report again",
        params: rowParams,
        response: { 200: replayAnswer },
      },
    },
    (request) => calls.replayOne(request.params.id, toCaller(request)),
  );

  app.post(
    "/api/mail/reports/replay/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "Read reports again that could not be read, or all",
        body: replayRequest,
        response: { 200: replayAnswer },
      },
    },
    (request) => calls.replayMany(request.body?.all ? "all" : "failed", toCaller(request)),
  );
}
