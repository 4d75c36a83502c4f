import { randomUUID } from "node:crypto";
import accepts from "@fastify/accepts";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import fastify, { type FastifyBaseLogger, LogController } from "fastify";
import type { Logger } from "pino";
import { LIMITS } from "#contract/limits.ts";
import type { Config } from "./config.ts";
import { cutConnectionsOnClose } from "./http/cut-connections.ts";
import { installErrorHandler, sendFrameworkError } from "./http/error-handler.ts";
import { type NamedSchemas, registerOpenApi } from "./http/openapi.ts";
import { type App, withZod } from "./http/zod.ts";
import { shouldUpgrade } from "./socket/transports/register-sockets.ts";

interface ServerParts {
  config: Pick<Config, "trustProxy" | "publicUrl">;
  version: string;
  /** Of the models, by the names that the OpenAPI page refers to them by. */
  schemas: NamedSchemas;
  log: Logger;
}

/** Long enough for a phone on a slow network to send a certificate; a connection that trickles is cut. */
const REQUEST_TIMEOUT_MS = 120_000;

/** The server without anything of the product: limits, request ids, the log of requests, errors, headers, schemas, OpenAPI. */
export async function createServer({ config, version, schemas, log }: ServerParts): Promise<App> {
  const server = fastify({
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
  server.decorateRequest("actor", null);
  server.addHook("onRequest", async (request, reply) => {
    reply.header("X-Request-Id", request.id);
  });
  server.addHook("onResponse", async (request, reply) => {
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
  installErrorHandler(server);
  cutConnectionsOnClose(server);
  const app = withZod(server);
  await app.register(cookie);
  await app.register(accepts);
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    strictTransportSecurity: config.publicUrl?.startsWith("https://") ?? false,
  });
  await registerOpenApi(app, version, schemas);
  return app;
}
