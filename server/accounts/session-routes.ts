import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { sessionsAnswer } from "#contract/own-account.ts";
import { requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import type { App } from "#server/http/zod.ts";
import { listOwnSessions, revokeOwnSession, signOutEverywhere } from "./own-sessions.ts";
import { type RouteParts, tags } from "./route-parts.ts";

const sessionParams = z.object({ id: z.uuid() });

/** Where a person is signed in. */
export function registerSessionRoutes(app: App, { parts, requireLevel }: RouteParts): void {
  const preHandler = requireLevel(ACCESS_LEVEL.guest);
  const security = SIGNED_IN;

  app.get(
    "/api/users/sessions/",
    {
      onRequest: noStore,
      preHandler,
      schema: { tags, security, summary: "Own sessions", response: { 200: sessionsAnswer } },
    },
    async (request) => ({ sessions: await listOwnSessions(parts, requireActor(request)) }),
  );

  app.delete(
    "/api/users/sessions/:id/",
    {
      onRequest: noStore,
      preHandler,
      schema: {
        tags,
        security,
        summary: "End an own session",
        params: sessionParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await revokeOwnSession(parts, requireActor(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    "/api/users/sessions/",
    {
      onRequest: noStore,
      preHandler,
      schema: { tags, security, summary: "Log out everywhere", response: { 204: z.null() } },
    },
    async (request, reply) => {
      await signOutEverywhere(parts, requireActor(request));
      return reply.code(204).send(null);
    },
  );
}
