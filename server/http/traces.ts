import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type pg from "pg";
import type { TrustRule } from "../base/proxies.ts";
import { followQueries } from "../db/followed-queries.ts";

/** A collector that is slow is given up, and what it was to get is dropped. */
const EXPORT_LIMIT_MS = 5_000;
/** A stop waits no longer for what is still to be sent. */
const STOP_LIMIT_MS = 2_000;
/** What is longer is cut: statements may have kilobytes. */
const TEXT_MAX = 2_000;

export interface TraceOptions {
  /** Of the collector, without `/v1/traces`. */
  endpoint: string;
  /** For a collector that asks for a key. */
  headers: Readonly<Record<string, string>>;
  version: string;
  /** Tells the process from the others of the site, and is the same after its restart. */
  processLabel: string;
  pools: readonly pg.Pool[];
  /** Whose `traceparent` is taken over. */
  trusts: TrustRule;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
}

/** Says once that the collector is away, and once that it is back; what couldn't be sent is gone. */
function reportFaults(exporter: SpanExporter, { endpoint, log }: TraceOptions): SpanExporter {
  let isAway = false;
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== 0;
        if (hasFailed !== isAway) {
          isAway = hasFailed;
          const { host } = new URL(endpoint);
          if (isAway) log.warn({ err: result.error }, `traces can't be sent to ${host}: they are dropped`);
          else log.info({}, `traces are sent to ${host} again`);
        }
        onResult(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

/** W3C Trace Context: version, trace, parent and flags; later versions may add to it. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** The trace that a request is part of; a new one where it names none, or where its sender isn't trusted. */
function readParent({ headers, socket }: FastifyRequest, trusts: TrustRule): Context {
  const { traceparent } = headers;
  if (typeof traceparent !== "string" || !trusts(socket.remoteAddress ?? "", 0)) return ROOT_CONTEXT;
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(traceparent) ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const parent = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}

/** A span for each request, by its route: addresses may hold what is nobody else's to know. */
function followRequests(
  app: FastifyInstance,
  { tracer, current, trusts }: { tracer: Tracer; current: AsyncLocalStorage<Span>; trusts: TrustRule },
): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, reply, done) => {
    const { method, routeOptions, id } = request;
    const route = routeOptions.url;
    const attributes = {
      "http.request.method": method,
      ...(route !== undefined && { "http.route": route }),
      "foyer.request_id": id,
    };
    const name = route === undefined ? method : `${method} ${route}`;
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, readParent(request, trusts));
    spans.set(request, span);
    // Also of a client that didn't wait for the answer.
    reply.raw.once("close", () => {
      const { statusCode } = reply.raw;
      span.setAttribute("http.response.status_code", statusCode);
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    current.run(span, done);
  });
  // A body comes in events of the connection, which know nothing of the request.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span) current.run(span, done);
    else done();
  });
}

/**
 * Sends spans of requests and of their statements to an OpenTelemetry collector (OTLP over HTTP), in batches and behind the answers. Made by hand,
 * because what hooks into imports finds little in ES modules; nothing is registered for the whole process.
 */
export function openTraces(app: FastifyInstance, options: TraceOptions): void {
  const { endpoint, headers, version, processLabel, pools, trusts } = options;
  const url = `${endpoint.replace(/\/$/, "")}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_LIMIT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "foyer",
      "service.version": version,
      "service.instance.id": processLabel,
    }),
    spanLimits: { attributeValueLengthLimit: TEXT_MAX },
    spanProcessors: [new BatchSpanProcessor({ exporter: reportFaults(exporter, options) })],
  });
  const tracer = provider.getTracer("foyer", version);
  const current = new AsyncLocalStorage<Span>();
  followRequests(app, { tracer, current, trusts });
  for (const pool of pools)
    followQueries(pool, (text) => {
      const parent = current.getStore();
      if (!parent?.isRecording()) return undefined;
      const operation = /^[\s(]*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? "SQL";
      const attributes = {
        "db.system.name": "postgresql",
        "db.operation.name": operation,
        "db.query.text": text,
      };
      const context = trace.setSpan(ROOT_CONTEXT, parent);
      const span = tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes }, context);
      return (errorCode) => {
        if (errorCode !== undefined) {
          span.setAttribute("db.response.status_code", errorCode);
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      };
    });
  app.addHook("onClose", async () => {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, STOP_LIMIT_MS);
    // What can't be sent was reported.
    await Promise.race([provider.shutdown().catch(() => undefined), late]);
    clearTimeout(timer);
  });
}
