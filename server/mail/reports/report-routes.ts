import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { mailReportAnswer, replayAnswer, replayRequest } from "#contract/mail-timeline.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import type { ReportCalls } from "./report-calls.ts";

const params = z.object({ id: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647)) });

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
      schema: { ...about, summary: "A report as it came", params, response: { 200: mailReportAnswer } },
    },
    (request) => calls.get(request.params.id),
  );

  app.post(
    "/api/mail/reports/:id/replay/",
    {
      ...guard,
      schema: { ...about, summary: "Read a report again", params, response: { 200: replayAnswer } },
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
