import { randomUUID } from "node:crypto";
import fastify, { type FastifyBaseLogger, LogController } from "fastify";
import type { Logger } from "pino";
import { LIMITS } from "#contract/limits.ts";
import type { Config } from "./config.ts";
import { installErrorHandler, sendFrameworkError } from "./http/error-handler.ts";
import { type App, withZod } from "./http/zod-compiler.ts";
import { shouldUpgrade } from "./socket/upgrade.ts";

interface ServerParts {
  config: Pick<Config, "trustProxy">;
  log: Logger;
}

/** Long enough for a phone on a slow network to send a certificate; a connection that trickles is cut. */
const REQUEST_TIMEOUT_MS = 120_000;

/** The server without anything of the product: limits, request ids, the log of requests, errors, schemas. */
export function createServer({ config, log }: ServerParts): App {
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    bodyLimit: LIMITS.jsonBodyMaxBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: "idle",
    http: { shouldUpgradeCallback: shouldUpgrade },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    genReqId: () => randomUUID(),
    frameworkErrors: sendFrameworkError,
  });
  app.decorateRequest("actor", null);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("X-Request-Id", request.id);
  });
  app.addHook("onResponse", async (request, reply) => {
    // The path alone: a query may hold a searched name or address.
    const path = request.url.split("?", 1)[0];
    const details = {
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    request.log.debug(details, "request");
  });
  installErrorHandler(app);
  return withZod(app);
}
