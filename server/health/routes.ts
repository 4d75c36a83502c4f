import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { healthAnswer } from "#contract/health.ts";
import { type RequireLevel, SIGNED_IN } from "#server/http/bearer.ts";
import { noStore } from "#server/http/no-store.ts";
import { getApiLanguage } from "#server/http/request-language.ts";
import type { App } from "#server/http/zod-compiler.ts";
import type { Health } from "./service.ts";

/** `GET /api/health/` for staff, and a sign of life for balancers. Every answered request is timed. */
export function registerHealthRoutes(
  app: App,
  { health, requireLevel }: { health: Health; requireLevel: RequireLevel },
): void {
  app.addHook("onResponse", async (_request, reply) => health.times.record(reply.elapsedTime));

  app.get(
    "/api/health/",
    {
      onRequest: noStore,
      preHandler: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["health"],
        security: SIGNED_IN,
        summary: "How the site is",
        response: { 200: healthAnswer },
      },
    },
    (request) => health.check(getApiLanguage(request)),
  );

  app.get(
    "/api/health/live",
    {
      onRequest: noStore,
      schema: {
        tags: ["health"],
        summary: "Whether the process answers; asks nothing else",
        response: { 204: z.null() },
      },
    },
    async (_request, reply) => reply.code(204).send(null),
  );
}
