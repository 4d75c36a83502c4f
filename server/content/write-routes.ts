import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { record } from "#contract/content/models.ts";
import { moveAnswer, moveRequest, staleWrite } from "#contract/content/objects.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import { modelParams, OBJECTS_PATH, objectBody, objectParams } from "./route-schemas.ts";
import type { ContentService } from "./service.ts";

const BODY_TEXT =
  "The body is an object of the model: `components.schemas` has each writable one as `app.name`.";
const MATCH_TEXT =
  "With `If-Match` (the `ETag` that the object was read with) nothing is written over what somebody else wrote since: 409.";

/** The generic endpoints that write single objects. */
export function registerWriteRoutes(
  app: App,
  deps: { service: ContentService; requireLevel: RequireLevel },
): void {
  const { service, requireLevel } = deps;
  const onRequest = requireLevel(ACCESS_LEVEL.admin);
  const about = { tags: ["content"], security: SIGNED_IN };

  app.post(
    `${OBJECTS_PATH}/`,
    {
      onRequest,
      schema: {
        ...about,
        summary: "Create an object",
        description: BODY_TEXT,
        params: modelParams,
        body: objectBody,
        response: { 201: record },
      },
    },
    async (request, reply) => {
      const { content_type_id } = request.params;
      const { record, etag } = await service.create(content_type_id, request.body, toCaller(request));
      reply.code(201).header("ETag", etag);
      return record;
    },
  );

  for (const [method, mode, summary] of [
    ["PUT", "replace", "Replace an object"],
    ["PATCH", "patch", "Change fields of an object"],
  ] as const) {
    app.route({
      method,
      url: `${OBJECTS_PATH}/:id/`,
      onRequest,
      schema: {
        ...about,
        summary,
        description: `${BODY_TEXT} ${MATCH_TEXT}`,
        params: objectParams,
        body: objectBody,
        response: { 200: record, 409: staleWrite },
      },
      handler: async (request, reply) => {
        const { content_type_id, id } = request.params;
        const options = { mode, ifMatch: request.headers["if-match"] };
        const caller = toCaller(request);
        const { record, etag } = await service.update(content_type_id, id, request.body, options, caller);
        reply.header("ETag", etag);
        return record;
      },
    });
  }

  app.delete(
    `${OBJECTS_PATH}/:id/`,
    {
      onRequest,
      schema: {
        ...about,
        summary: "Delete an object",
        description: MATCH_TEXT,
        params: objectParams,
        response: { 204: z.null(), 409: staleWrite },
      },
    },
    async (request, reply) => {
      const { content_type_id, id } = request.params;
      const options = { ifMatch: request.headers["if-match"] };
      await service.delete(content_type_id, id, options, toCaller(request));
      return reply.code(204).send(null);
    },
  );
}

/** The endpoint by which people order objects by hand. */
export function registerMoveRoutes(
  app: App,
  { service, requireLevel }: { service: ContentService; requireLevel: RequireLevel },
): void {
  app.post(
    `${OBJECTS_PATH}/:id/move/`,
    {
      onRequest: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["content"],
        security: SIGNED_IN,
        summary: "Put an object before another one",
        description:
          "For models with an `order_field`. `before` is the id of the object that comes next, or null for the end. " +
          "Numbers of other objects change only where none is left between two.",
        params: objectParams,
        body: moveRequest,
        response: { 200: moveAnswer },
      },
    },
    (request) => {
      const { content_type_id, id } = request.params;
      return service.move(content_type_id, id, request.body, toCaller(request));
    },
  );
}
