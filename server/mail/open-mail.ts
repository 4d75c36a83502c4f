import type pg from "pg";
import type { ChangeFeed } from "#server/db/changes.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { RequireLevel } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod-compiler.ts";
import type { Registry } from "#server/models/registry.ts";
import { createReportIntake, type ReportIntake } from "./reports/intake.ts";
import { createReportReader, type ReportReader } from "./reports/reader.ts";
import type { ReportSource } from "./reports/report-source.ts";
import { registerMailWebhooks } from "./reports/webhook-routes.ts";
import { createMailStatistics } from "./stats/stats.ts";
import { registerStatsRoutes } from "./stats/stats-routes.ts";
import { createSuppressionCalls } from "./suppressions/suppression-calls.ts";
import { registerSuppressionRoutes } from "./suppressions/suppression-routes.ts";
import { createSuppressions, type Suppressions } from "./suppressions/suppressions.ts";
import { createTriage } from "./triage/triage.ts";
import { registerTriageRoutes } from "./triage/triage-routes.ts";

export interface OpenMailParts {
  pool: pg.Pool;
  feed: Pick<ChangeFeed, "subscribe">;
  registry: Registry;
  requireLevel: RequireLevel;
  /** Ways in that are set up. */
  sources: readonly ReportSource[];
  isStaffAddress(db: Queryable, addressKey: string): Promise<boolean>;
  isStaff(db: Queryable, userId: number): Promise<boolean>;
  log: Record<"warn" | "error", (details: object, message: string) => void>;
  now: () => Date;
}

/** What becomes of mails once they are handed over: reports, suppressions and what staff do about them, with their endpoints. */
export async function openMail(
  app: App,
  parts: OpenMailParts,
): Promise<{ suppressions: Suppressions; intake: ReportIntake; reader: ReportReader }> {
  const { pool, registry, now } = parts;
  const getContentTypeId = (key: string) => registry.byKey.get(key)?.contentTypeId ?? null;
  const suppressions = createSuppressions({
    getContentTypeId: () => getContentTypeId("mail.suppression"),
    now,
  });
  const intake = createReportIntake(parts);
  const reader = createReportReader({ ...parts, suppressions });
  app.addHook("onListen", async () => reader.start());
  app.addHook("onClose", reader.close);
  await registerMailWebhooks(app, intake);
  const triage = createTriage({ ...parts, suppressions, getContentTypeId });
  registerTriageRoutes(app, { triage, requireLevel: parts.requireLevel });
  const calls = createSuppressionCalls({ pool, suppressions });
  registerSuppressionRoutes(app, { calls, requireLevel: parts.requireLevel });
  const statistics = createMailStatistics({ db: pool, sources: parts.sources.map(({ name }) => name), now });
  registerStatsRoutes(app, { statistics, requireLevel: parts.requireLevel });
  return { suppressions, intake, reader };
}
