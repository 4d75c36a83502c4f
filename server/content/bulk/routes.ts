import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import {
  bulkAnswer,
  bulkPreview,
  bulkPreviewRequest,
  bulkRequest,
  job,
  jobFailuresAnswer,
  jobsAnswer,
} from "#contract/content/bulk.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import { modelParams, OBJECTS_PATH } from "../route-schemas.ts";
import type { BulkService } from "./service.ts";

const jobParams = z.object({ id: z.string() });
const failuresQuery = z.object({
  format: z._default(z.enum(["json", "csv"]), "json"),
  after: z.optional(z.pipe(z.string().check(z.regex(/^-?\d{1,15}$/)), z.transform(Number))),
});

/** A stream is no answer that a schema describes: the reply takes it as it is. */
function sendCsv(reply: FastifyReply, id: string, stream: Readable): never {
  reply
    .type("text/csv; charset=utf-8")
    .header("Content-Disposition", `attachment; filename="job-${id}.csv"`)
    .header("Cache-Control", "no-store");
  // Typed as the answer that it stands in for: the schema describes the json form alone.
  return reply.send(stream) as never;
}

/** The endpoints of bulk operations and of their jobs. */
export function registerBulkRoutes(
  app: App,
  deps: { service: BulkService; requireLevel: RequireLevel },
): void {
  const { service, requireLevel } = deps;
  const onRequest = requireLevel(ACCESS_LEVEL.admin);
  const about = { tags: ["content"], security: SIGNED_IN };

  app.post(
    `${OBJECTS_PATH}/bulk/preview/`,
    {
      onRequest,
      schema: {
        ...about,
        summary: "What a bulk operation would do",
        params: modelParams,
        body: bulkPreviewRequest,
        response: { 200: bulkPreview },
      },
    },
    (request) => service.preview(request.params.content_type_id, request.body, toCaller(request)),
  );

  app.post(
    `${OBJECTS_PATH}/bulk/`,
    {
      onRequest,
      schema: {
        ...about,
        summary: "Change or delete many objects",
        description:
          "Up to 5,000 objects are written at once, all or none; more of them, chosen by `query`, become a job (202). " +
          "Of people and access levels that is so above 500.",
        params: modelParams,
        body: bulkRequest,
        response: { 200: bulkAnswer, 202: bulkAnswer },
      },
    },
    async (request, reply) => {
      const answer = await service.run(request.params.content_type_id, request.body, toCaller(request));
      return reply.code(answer.job ? 202 : 200).send(answer);
    },
  );

  app.get(
    "/api/admin/jobs/",
    {
      onRequest,
      schema: { ...about, summary: "Own bulk jobs, newest first", response: { 200: jobsAnswer } },
    },
    async (request) => ({ jobs: await service.jobs.list(toCaller(request)) }),
  );

  app.get(
    "/api/admin/jobs/:id/",
    { onRequest, schema: { ...about, summary: "One bulk job", params: jobParams, response: { 200: job } } },
    (request) => service.jobs.get(request.params.id, toCaller(request)),
  );

  app.post(
    "/api/admin/jobs/:id/cancel/",
    {
      onRequest,
      schema: { ...about, summary: "Stop a bulk job", params: jobParams, response: { 200: job } },
    },
    (request) => service.jobs.cancel(request.params.id, toCaller(request)),
  );

  app.post(
    "/api/admin/jobs/:id/resume/",
    {
      onRequest,
      schema: {
        ...about,
        summary: "Go on with a bulk job that was cancelled or has failed",
        description:
          "It goes on behind its last object, with the same query and snapshot and its person's present rights. " +
          "What it has written is not written again.",
        params: jobParams,
        response: { 200: job },
      },
    },
    (request) => service.jobs.resume(request.params.id, toCaller(request)),
  );

  app.get(
    "/api/admin/jobs/:id/failures/",
    {
      exposeHeadRoute: false,
      onRequest,
      schema: {
        ...about,
        summary: "Objects that a bulk job left alone or could not write",
        params: jobParams,
        querystring: failuresQuery,
        response: { 200: jobFailuresAnswer },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { after, format } = request.query;
      if (format === "json") return service.jobs.listFailures(id, after ?? null, toCaller(request));
      const stream = await service.jobs.streamFailures(id, toCaller(request));
      return sendCsv(reply, id, stream);
    },
  );
}
