import * as z from "zod/mini";
import { ACCESS_LEVEL, permissionsAnswer } from "#contract/accounts/accounts.ts";
import { ADMIN_LIMITS, searchAnswer } from "#contract/content/lists.ts";
import { modelInfo, modelsAnswer, objectsAnswer, record } from "#contract/content/models.ts";
import { dependentsAnswer, historyAnswer } from "#contract/content/objects.ts";
import { type RequireLevel, requireActor, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import { toAbortSignal } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { historyQuery, listQuery, modelParams, OBJECTS_PATH, objectParams } from "./route-schemas.ts";
import type { ContentService } from "./service.ts";

/** The generic endpoints that read: models, lists, single objects (specification B section 7, admin service). */
export function registerContentRoutes(
  app: App,
  deps: { service: ContentService; requireLevel: RequireLevel },
): void {
  const { service, requireLevel } = deps;
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
          "The model names its fields, their operators and which can be sorted by. A name that is none of these is a 400, " +
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

/** What is known of one object beside its fields: what was done with it, and what hangs on it. */
export function registerHistoryRoutes(
  app: App,
  deps: { service: ContentService; requireLevel: RequireLevel },
): void {
  const { service, requireLevel } = deps;
  const onRequest = requireLevel(ACCESS_LEVEL.admin);
  const about = { tags: ["content"], security: SIGNED_IN };

  app.get(
    `${OBJECTS_PATH}/:id/history/`,
    {
      onRequest,
      schema: {
        ...about,
        summary: "Audit entries of one object, newest first, also after it was deleted",
        params: objectParams,
        querystring: historyQuery,
        response: { 200: historyAnswer },
      },
    },
    (request) => {
      const { content_type_id, id } = request.params;
      const { before = null, page_size: limit = ADMIN_LIMITS.pageSizeDefault } = request.query;
      return service.getHistory(content_type_id, id, { before, limit }, toCaller(request));
    },
  );

  app.get(
    `${OBJECTS_PATH}/:id/dependents/`,
    {
      onRequest,
      schema: {
        ...about,
        summary: "What a deletion of the object would take along, as counts",
        params: objectParams,
        response: { 200: dependentsAnswer },
      },
    },
    (request) => {
      const { content_type_id, id } = request.params;
      return service.getDependents(content_type_id, id, toCaller(request));
    },
  );
}

/** `GET /api/admin/search/`: records of every model by what they are called. */
export function registerSearchRoutes(
  app: App,
  deps: { service: Pick<ContentService, "searchAll">; requireLevel: RequireLevel },
): void {
  const { service, requireLevel } = deps;
  app.get(
    "/api/admin/search/",
    {
      onRequest: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["content"],
        security: SIGNED_IN,
        summary: "A few records of every model that holds a text",
        description:
          "At most three records of each model that the person may view and whose names are searched, 20 in all; entries of the audit log have no such name and are left to its own search. Names that begin with " +
          "the text come first. Rules of fields and rows are those of the model's list. A model with many rows is left out for a " +
          "text of less than three letters, and where it takes too long: `is_complete` is false then.",
        querystring: z.object({
          search: z.string().check(z.minLength(1), z.maxLength(ADMIN_LIMITS.searchMaxChars)),
        }),
        response: { 200: searchAnswer },
      },
    },
    (request, reply) =>
      service.searchAll(request.query.search, { ...toCaller(request), signal: toAbortSignal(reply) }),
  );
}
