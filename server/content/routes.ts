import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { permissionsAnswer } from "#contract/accounts.ts";
import { modelInfo, modelsAnswer, objectsAnswer, record } from "#contract/models.ts";
import { type RequireLevel, requireActor, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import { toAbortSignal } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { listQuery, modelParams, OBJECTS_PATH, objectParams } from "./route-schemas.ts";
import type { ContentService } from "./service.ts";

/** The generic doors that read: models, lists, single objects (specification B section 7, admin service). */
export function registerContentRoutes(
  app: App,
  parts: { service: ContentService; requireLevel: RequireLevel },
): void {
  const { service, requireLevel } = parts;
  const onRequest = requireLevel(ACCESS_LEVEL.admin);
  const about = { tags: ["content"], security: SIGNED_IN };

  app.get(
    "/api/admin/permissions/",
    {
      onRequest: [noStore, onRequest],
      schema: {
        ...about,
        summary: "What the signed-in person may do, for every model",
        response: { 200: permissionsAnswer },
      },
    },
    (request) => service.getPermissions(requireActor(request)),
  );

  app.get(
    "/api/admin/models/",
    { onRequest, schema: { ...about, summary: "Content models", response: { 200: modelsAnswer } } },
    async (request) => ({ models: await service.listModels(toCaller(request)) }),
  );

  app.get(
    "/api/admin/models/:content_type_id/",
    {
      onRequest,
      schema: { ...about, summary: "One content model", params: modelParams, response: { 200: modelInfo } },
    },
    (request) => service.getModel(request.params.content_type_id, toCaller(request)),
  );

  app.get(
    `${OBJECTS_PATH}/`,
    {
      onRequest,
      schema: {
        ...about,
        summary: "A page of objects",
        description:
          "The model tells its fields, their operators and which can be sorted by. A name that is none of these is a 400, " +
          "and so is one that comes twice.",
        params: modelParams,
        querystring: listQuery,
        response: { 200: objectsAnswer },
      },
    },
    (request, reply) => {
      const caller = { ...toCaller(request), signal: toAbortSignal(reply) };
      return service.list(request.params.content_type_id, request.query, caller);
    },
  );

  app.get(
    `${OBJECTS_PATH}/:id/`,
    {
      onRequest,
      schema: { ...about, summary: "One object", params: objectParams, response: { 200: record } },
    },
    async (request, reply) => {
      const { content_type_id, id } = request.params;
      const { record, etag } = await service.get(content_type_id, id, toCaller(request));
      reply.header("ETag", etag);
      return record;
    },
  );
}
