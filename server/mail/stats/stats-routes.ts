import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { mailDashboardAnswer, mailSeriesAnswer, mailStatsAnswer, statsQuery } from "#contract/mail-stats.ts";
import { type RequireLevel, SIGNED_IN } from "#server/http/bearer.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import type { MailStatistics } from "./stats.ts";

/** Figures of mail (specification B, section 7), for level 10 and up. */
export function registerStatsRoutes(
  app: App,
  { statistics, requireLevel }: { statistics: MailStatistics; requireLevel: RequireLevel },
): void {
  const guard = { onRequest: requireLevel(ACCESS_LEVEL.admin) };
  const about = { tags: ["mail"], security: SIGNED_IN };

  app.get(
    "/api/mail/stats/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "What became of the mails of some days",
        querystring: statsQuery,
        response: { 200: mailStatsAnswer },
      },
    },
    async (request) => ({ success: true, data: await statistics.getStats(request.query.days) }),
  );

  app.get(
    "/api/mail/stats/series/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "The same by day, and by the recipients' domains",
        querystring: statsQuery,
        response: { 200: mailSeriesAnswer },
      },
    },
    (request) => statistics.getSeries(request.query.days),
  );

  app.get(
    "/api/mail/dashboard/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "The latest mails, returns and complaints",
        response: { 200: mailDashboardAnswer },
      },
    },
    (request) => statistics.getDashboard(getApiLanguage(request)),
  );
}
