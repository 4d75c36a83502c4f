import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { EXPORT_FORMATS, EXPORT_USES, exportBody, exportInfo } from "#contract/content/exports.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import { toAbortSignal } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { modelParams, OBJECTS_PATH } from "../route-schemas.ts";
import type { ContentExports, ExportFile } from "./service.ts";

const exportQuery = z.catchall(
  z.object({
    format: z._default(z.enum(EXPORT_FORMATS), "csv"),
    columns: z.optional(z.unknown()),
    formulas: z.optional(z.unknown()),
    use: z.optional(z.enum(EXPORT_USES)),
  }),
  z.unknown(),
);

const EXPORT_TEXT =
  "Every row of the list with the same search, filters and sort, from one snapshot. A file that breaks off ends its " +
  "connection with an error; `X-Export-Id` names the export, whose rows, bytes and SHA-256 are there when it is whole. `columns` are names of " +
  "fields, in their order. Texts that a spreadsheet would calculate get an apostrophe in csv, unless `formulas` is `keep`. " +
  "A csv is for `programs`: names of fields, commas, UTF-8. With `use=spreadsheets` it begins with a byte order mark and has labels in the " +
  "language of the request as headers; in Turkish its values stand between semicolons, with decimal commas.";

/** Names are the registry's and a day: nothing in them needs quoting. */
function sendFile(reply: FastifyReply, file: ExportFile) {
  return reply
    .type(file.mediaType)
    .header("Content-Disposition", `attachment; filename="${file.name}"`)
    .header("X-Export-Id", file.id)
    .send(file.stream);
}

/** Exports of what a list shows, and what became of them. */
export function registerExportRoutes(
  app: App,
  deps: { exports: ContentExports; requireLevel: RequireLevel },
): void {
  const { exports, requireLevel } = deps;
  const onRequest = requireLevel(ACCESS_LEVEL.admin);
  const about = { tags: ["content"], security: SIGNED_IN };
  app.addHook("onReady", exports.failLeft);

  app.get(
    `${OBJECTS_PATH}/export/`,
    {
      // A HEAD would run the whole export.
      exposeHeadRoute: false,
      onRequest: [noStore, onRequest],
      schema: {
        ...about,
        summary: "Export objects as csv, json, ndjson or xlsx",
        description: EXPORT_TEXT,
        params: modelParams,
        querystring: exportQuery,
      },
    },
    async (request, reply) => {
      const caller = { ...toCaller(request), signal: toAbortSignal(reply) };
      const { format } = request.query;
      const asked = { query: request.query, format };
      return sendFile(reply, await exports.open(request.params.content_type_id, asked, caller));
    },
  );

  // Else it would be taken for a HEAD of an object whose id is `export`.
  app.head(
    `${OBJECTS_PATH}/export/`,
    { onRequest: [noStore, onRequest], schema: { hide: true, params: modelParams } },
    (_request, reply) => reply.code(405).header("Allow", "GET, POST").send(),
  );

  app.post(
    `${OBJECTS_PATH}/export/`,
    {
      onRequest: [noStore, onRequest],
      schema: {
        ...about,
        summary: "Export chosen objects",
        description: EXPORT_TEXT,
        params: modelParams,
        body: exportBody,
      },
    },
    async (request, reply) => {
      const caller = { ...toCaller(request), signal: toAbortSignal(reply) };
      return sendFile(
        reply,
        await exports.open(request.params.content_type_id, { body: request.body }, caller),
      );
    },
  );

  app.get(
    "/api/admin/exports/:id/",
    {
      onRequest: [noStore, onRequest],
      schema: {
        ...about,
        summary: "What became of an export",
        params: z.object({ id: z.string() }),
        response: { 200: exportInfo },
      },
    },
    (request) => exports.getInfo(request.params.id, toCaller(request)),
  );
}
