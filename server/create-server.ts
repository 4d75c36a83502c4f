import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import accepts from "@fastify/accepts";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Logger } from "pino";
import { LIMITS } from "#contract/limits.ts";
import { runForRequest } from "./base/actor.ts";
import { type TrustRule, toTrustRule } from "./base/proxies.ts";
import type { Config } from "./config.ts";
import { toHstsText } from "./config-values.ts";
import { installAccess } from "./http/access.ts";
import { compressJson } from "./http/compression.ts";
import { installErrorHandler, sendFrameworkError } from "./http/error-handler.ts";
import { type NamedSchemas, registerOpenApi } from "./http/openapi.ts";
import { type App, withZod } from "./http/zod.ts";
import { shouldUpgrade } from "./socket/transports/register-sockets.ts";

interface ServerDeps {
  config: Pick<Config, "trustProxy"> & Partial<Pick<Config, "hsts" | "logRequests" | "apiDocsLevel">>;
  version: string;
  /** Of the models, by the names that the OpenAPI page refers to them by. */
  schemas: NamedSchemas;
  log: Logger;
}

/** Long enough for a phone on a slow network to send a certificate; a connection that trickles is cut. */
const REQUEST_TIMEOUT_MS = 120_000;

/** What a proxy may name a request by. It stands in logs, the audit log and answers. */
const REQUEST_ID = /^[A-Za-z\d][\w.-]{7,63}$/;

/** The number that a trusted proxy gave a request, so that its log and ours name it alike; else a new one. */
function createRequestIds(trusts: TrustRule): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const given = headers["x-request-id"];
    const isTaken =
      typeof given === "string" && REQUEST_ID.test(given) && trusts(socket.remoteAddress ?? "", 0);
    return isTaken ? given : randomUUID();
  };
}

/** The server without anything of the product: limits, request ids, the log of requests, errors, headers, schemas, OpenAPI. */
export async function createServer({ config, version, schemas, log }: ServerDeps): Promise<App> {
  const server = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy,
    bodyLimit: LIMITS.jsonBodyMaxBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: "idle",
    // In a stop, who was quicker than the end of their connection is answered as well.
    return503OnClosing: false,
    http: { shouldUpgradeCallback: shouldUpgrade },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    genReqId: createRequestIds(toTrustRule(config.trustProxy)),
    frameworkErrors(error, request, reply) {
      if (config.hsts) reply.header("Strict-Transport-Security", toHstsText(config.hsts));
      sendFrameworkError(error, request, reply);
    },
  });
  server.decorateRequest("actor", null);
  installAccess(server);
  server.addHook("onRequest", (request, _reply, done) => runForRequest(request.id, done));
  server.addHook("onRequest", async (request, reply) => {
    // Many proxies pass on what a visitor wrote there. `Host` and PUBLIC_URL say where the site is.
    delete request.raw.headers["x-forwarded-host"];
    reply.header("X-Request-Id", request.id);
  });
  const level = config.logRequests ? "info" : "debug";
  if (log.isLevelEnabled(level)) logRequests(server, level);
  installErrorHandler(server);
  const app = withZod(server);
  await app.register(cookie);
  await app.register(accepts);
  compressJson(app);
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    strictTransportSecurity: config.hsts ?? false,
  });
  await registerOpenApi(app, { version, named: schemas, level: config.apiDocsLevel });
  return app;
}

/** One line a request: the path without its query, which may hold a searched name or a token; bytes with the headers. */
function logRequests(server: FastifyInstance, level: "info" | "debug"): void {
  /** What its connection had sent before; one answer follows another there. */
  const sentBefore = new WeakMap<FastifyRequest, number>();
  server.addHook("onRequest", async (request) => {
    sentBefore.set(request, request.socket.bytesWritten);
  });
  server.addHook("onResponse", async (request, reply) => {
    const details = {
      method: request.method,
      path: request.url.split("?", 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      bytes: request.socket.bytesWritten - (sentBefore.get(request) ?? 0),
      address: request.ip,
    };
    request.log[level](details, "request");
  });
}

/**
 * In a stop, cuts each connection that carries no request, and others behind their answer. Node would wait for those that said
 * nothing yet, or half a request, or left HTTP, and would keep answered ones alive. Hooks of `preClose` run in order: whoever
 * takes leave on a connection that left HTTP comes before.
 */
export function cutConnectionsOnClose(app: FastifyInstance): void {
  /** Requests under way on each: a client may send the next one before its answer. */
  const counts = new Map<Socket, number>();
  const running = new Set<ServerResponse>();
  let isStopping = false;

  function change(socket: Socket, difference: 1 | -1): void {
    const count = counts.get(socket);
    if (count === undefined) return;
    counts.set(socket, count + difference);
    if (isStopping && count + difference === 0) socket.destroySoon();
  }
  function onClose(this: Socket): void {
    counts.delete(this);
  }
  app.server.on("connection", (socket: Socket) => {
    counts.set(socket, 0);
    socket.once("close", onClose);
  });
  app.server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    change(socket, 1);
    running.add(response);
    response.once("close", () => {
      running.delete(response);
      change(socket, -1);
    });
  });
  app.addHook("preClose", async () => {
    isStopping = true;
    // Whoever waits for this answer alone learns from it that the connection ends. Behind others it would take theirs away.
    for (const response of running)
      if (!response.headersSent && counts.get(response.req.socket) === 1)
        response.setHeader("Connection", "close");
    for (const [socket, count] of counts) if (count === 0) socket.destroy();
  });
}
