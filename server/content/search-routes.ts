import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import { searchAnswer } from "#contract/search.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { toAbortSignal } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import type { ContentService } from "./service.ts";

/** `GET /api/admin/search/`: records of every model by what they are called. */
export function registerSearchRoutes(
  app: App,
  parts: { service: Pick<ContentService, "searchAll">; requireLevel: RequireLevel },
): void {
  const { service, requireLevel } = parts;
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
