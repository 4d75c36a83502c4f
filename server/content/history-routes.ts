import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import { dependentsAnswer, historyAnswer } from "#contract/models.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import { historyQuery, OBJECTS_PATH, objectParams } from "./route-schemas.ts";
import type { ContentService } from "./service.ts";

/** What is known of one object beside its fields: what was done with it, and what hangs on it. */
export function registerHistoryRoutes(
  app: App,
  parts: { service: ContentService; requireLevel: RequireLevel },
): void {
  const { service, requireLevel } = parts;
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
