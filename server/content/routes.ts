import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { permissionsAnswer } from "#contract/accounts.ts";
import { modelInfo, modelsAnswer, objectsAnswer, record } from "#contract/models.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { noStore } from "#server/http/no-store.ts";
import { getApiLanguage } from "#server/http/request-language.ts";
import type { App } from "#server/http/zod-compiler.ts";
import type { ContentExports } from "./exports.ts";
import type { Caller, ContentService } from "./service.ts";

const MAX_ID = 2_147_483_647;
const id = z.pipe(
  z.string().check(z.regex(/^\d{1,10}$/)),
  z.pipe(z.transform(Number), z.int().check(z.maximum(MAX_ID))),
);
const modelParams = z.object({ content_type_id: id });
const objectParams = z.object({ content_type_id: id, id });
const body = z.record(z.string(), z.unknown());
/** `filters[0][field]` and the like are read by `parseListQuery`, which also checks these three. */
const query = z.catchall(
  z.object({
    page: z.optional(z.unknown()),
    page_size: z.optional(z.unknown()),
    search: z.optional(z.unknown()),
  }),
  z.unknown(),
);
const exportQuery = z.catchall(z.object({ format: z._default(z.enum(["csv"]), "csv") }), z.unknown());

const BODY_TEXT =
  "The body is an object of the model: `components.schemas` has each writable one as `app.name`.";

function toCaller(request: FastifyRequest): Caller {
  return { actor: requireActor(request), lang: getApiLanguage(request) };
}

/** The generic doors of every content model (specification B section 7, admin service). */
export function registerContentRoutes(
  app: App,
  parts: { service: ContentService; exports: ContentExports; requireLevel: RequireLevel },
): void {
  const { service, exports, requireLevel } = parts;
  const preHandler = requireLevel(ACCESS_LEVEL.admin);
  const about = { tags: ["content"], security: SIGNED_IN };
  const base = "/api/admin/models/:content_type_id/objects";

  app.get(
    "/api/admin/permissions/",
    {
      onRequest: noStore,
      preHandler,
      schema: {
        ...about,
        summary: "What the signed-in person may do, for every model",
        response: { 200: permissionsAnswer },
      },
    },
    (request) => service.getPermissions(requireActor(request)),
  );

  app.get(
    "/api/admin/models/",
    { preHandler, schema: { ...about, summary: "Content models", response: { 200: modelsAnswer } } },
    async (request) => ({ models: await service.listModels(toCaller(request)) }),
  );

  app.get(
    "/api/admin/models/:content_type_id/",
    {
      preHandler,
      schema: { ...about, summary: "One content model", params: modelParams, response: { 200: modelInfo } },
    },
    (request) => service.getModel(request.params.content_type_id, toCaller(request)),
  );

  app.get(
    `${base}/`,
    {
      preHandler,
      schema: {
        ...about,
        summary: "A page of objects",
        description:
          "Filters and sorts are `filters[0][field]`, `filters[0][operator]`, `filters[0][value]`, `sort[0][field]` and " +
          "`sort[0][direction]`; the model tells its fields and their operators.",
        params: modelParams,
        querystring: query,
        response: { 200: objectsAnswer },
      },
    },
    (request) => service.list(request.params.content_type_id, request.query, toCaller(request)),
  );

  app.post(
    `${base}/`,
    {
      preHandler,
      schema: {
        ...about,
        summary: "Create an object",
        description: BODY_TEXT,
        params: modelParams,
        body,
        response: { 201: record },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return service.create(request.params.content_type_id, request.body, toCaller(request));
    },
  );

  app.get(
    `${base}/export/`,
    {
      // A HEAD would run the whole export.
      exposeHeadRoute: false,
      preHandler,
      schema: { ...about, summary: "Export objects as csv", params: modelParams, querystring: exportQuery },
    },
    async (request, reply) => {
      const file = await exports.open(request.params.content_type_id, request.query, toCaller(request));
      return reply
        .type("text/csv; charset=utf-8")
        .header("Content-Disposition", `attachment; filename="${file.name}"`)
        .header("Cache-Control", "no-store")
        .send(file.stream);
    },
  );

  app.get(
    `${base}/:id/`,
    {
      preHandler,
      schema: { ...about, summary: "One object", params: objectParams, response: { 200: record } },
    },
    (request) => service.get(request.params.content_type_id, request.params.id, toCaller(request)),
  );

  for (const [method, mode, summary] of [
    ["PUT", "replace", "Replace an object"],
    ["PATCH", "patch", "Change fields of an object"],
  ] as const) {
    app.route({
      method,
      url: `${base}/:id/`,
      preHandler,
      schema: {
        ...about,
        summary,
        description: BODY_TEXT,
        params: objectParams,
        body,
        response: { 200: record },
      },
      handler: (request) =>
        service.update(
          request.params.content_type_id,
          request.params.id,
          request.body,
          mode,
          toCaller(request),
        ),
    });
  }

  app.delete(
    `${base}/:id/`,
    {
      preHandler,
      schema: { ...about, summary: "Delete an object", params: objectParams, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await service.delete(request.params.content_type_id, request.params.id, toCaller(request));
      return reply.code(204).send(null);
    },
  );
}
