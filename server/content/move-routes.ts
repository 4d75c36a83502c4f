import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { moveAnswer, moveRequest } from "#contract/order.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import { OBJECTS_PATH, objectParams } from "./route-schemas.ts";
import type { ContentService } from "./service.ts";

/** The door through which people order objects by hand. */
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
