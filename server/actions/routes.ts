import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { actionsAnswer } from "#contract/admin-users.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { type App, doorQuery } from "#server/http/zod.ts";
import type { Actions } from "./service.ts";

/** `GET /api/admin/actions/`: the audit log. */
export function registerActionRoutes(
  app: App,
  parts: { actions: Actions; requireLevel: RequireLevel },
): void {
  const { actions, requireLevel } = parts;
  app.get(
    "/api/admin/actions/",
    {
      onRequest: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["audit"],
        security: SIGNED_IN,
        summary: "A page of the audit log",
        description:
          "Filters and sorts are `filters[0][field]`, `filters[0][operator]`, `filters[0][value]`, `sort[0][field]` and " +
          "`sort[0][direction]`: `action_type` and `user` exact, `timestamp` and others. `is_folded` exact `false` lists one " +
          "entry of each bulk operation, whose `batch` counts the others; `batch_id` exact lists all of one operation.",
        querystring: doorQuery,
        response: { 200: actionsAnswer },
      },
    },
    (request) => actions.list(request.query, toCaller(request)),
  );
}
