import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { RequireLevel } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import type { App } from "#server/http/zod.ts";
import type { MetricsSources } from "./metrics.ts";

const hash = (text: string) => createHash("sha256").update(text).digest();

/** Lets whoever sends the token pass, and staff as everywhere. */
function createGuard(token: string, requireLevel: RequireLevel) {
  const own = hash(token);
  const guard = requireLevel(ACCESS_LEVEL.admin);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (given !== undefined && timingSafeEqual(hash(given), own)) return;
    await guard(request, reply);
  };
}

/**
 * `GET /metrics`, in Prometheus' text format, for whoever sends METRICS_TOKEN or is staff. Without that setting there is no such address, nothing is
 * counted, and the library isn't loaded.
 */
export async function openMetrics(
  app: App,
  token: string,
  { requireLevel, ...sources }: MetricsSources & { requireLevel: RequireLevel },
): Promise<void> {
  const { createMetrics } = await import("./metrics.ts");
  const metrics = createMetrics(sources);
  app.addHook("onResponse", ({ method, routeOptions }, reply, done) => {
    metrics.countRequest(method, routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.get(
    "/metrics",
    { onRequest: [noStore, createGuard(token, requireLevel)], schema: { hide: true } },
    async (_request, reply) => reply.type(metrics.contentType).send(await metrics.read()),
  );
}
