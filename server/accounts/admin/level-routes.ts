import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import {
  type AccessLevelInfo,
  type AccessLevelWrite,
  accessLevelInfo,
  accessLevelsAnswer,
  accessLevelWrite,
} from "#contract/accounts/admin-users.ts";
import type { ModelRecord, Pagination } from "#contract/content/models.ts";
import { type Language, type LocalizedText, pickText } from "#contract/languages.ts";
import type { Caller } from "#server/base/actor.ts";
import type { ContentService } from "#server/content/service.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { type App, getIfMatch, ID_PATH, idParams, listQuery } from "#server/http/zod.ts";
import type { LevelRow } from "./store.ts";

const PATH = "/api/users/access-levels/";
/** Specification B section 9. */
const PAGE_SIZE = 50;

function answer(reply: FastifyReply, { level, etag }: Awaited<ReturnType<LevelEndpoints["get"]>>) {
  if (etag !== "") reply.header("ETag", etag);
  return level;
}

/** The documented endpoints of access levels (specification B section 7, user admin service). */
export function registerLevelRoutes(
  app: App,
  deps: { levels: LevelEndpoints; requireLevel: RequireLevel },
): void {
  const { levels, requireLevel } = deps;
  const onRequest = requireLevel(ACCESS_LEVEL.admin);
  const about = { tags: ["users"], security: SIGNED_IN };

  app.get(
    PATH,
    {
      onRequest,
      schema: {
        ...about,
        summary: "Access levels",
        querystring: listQuery,
        response: { 200: accessLevelsAnswer },
      },
    },
    (request) => levels.list(request.query, PAGE_SIZE, toCaller(request)),
  );

  app.post(
    PATH,
    {
      onRequest,
      schema: {
        ...about,
        summary: "Create an access level",
        body: accessLevelWrite,
        response: { 201: accessLevelInfo },
      },
    },
    async (request, reply) => {
      const made = await levels.create(request.body, toCaller(request));
      reply.code(201);
      return answer(reply, made);
    },
  );

  app.get(
    `${PATH}${ID_PATH}/`,
    {
      onRequest,
      schema: { ...about, summary: "One access level", params: idParams, response: { 200: accessLevelInfo } },
    },
    async (request, reply) => answer(reply, await levels.get(request.params.id, toCaller(request))),
  );

  for (const method of ["PUT", "PATCH"] as const) {
    app.route({
      method,
      url: `${PATH}${ID_PATH}/`,
      onRequest,
      schema: {
        ...about,
        summary: "Change an access level",
        description: "Only what is sent changes. A plain text is that of the request's language.",
        params: idParams,
        body: accessLevelWrite,
        response: { 200: accessLevelInfo },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        return answer(reply, await levels.update(id, request.body, getIfMatch(request), toCaller(request)));
      },
    });
  }

  app.delete(
    `${PATH}${ID_PATH}/`,
    {
      onRequest,
      schema: { ...about, summary: "Delete an access level", params: idParams, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await levels.delete(request.params.id, getIfMatch(request), toCaller(request));
      return reply.code(204).send(null);
    },
  );
}

interface Versioned {
  level: AccessLevelInfo;
  etag: string;
}

/** The documented calls on access levels, over the model that every other endpoint shows. */
interface LevelEndpoints {
  list(
    query: Record<string, unknown>,
    pageSize: number,
    caller: Caller,
  ): Promise<{ access_levels: AccessLevelInfo[]; pagination: Pagination }>;
  get(id: number, caller: Caller): Promise<Versioned>;
  create(body: AccessLevelWrite, caller: Caller): Promise<Versioned>;
  /** Only what is sent changes; a plain text is that of the caller's language. */
  update(id: number, body: AccessLevelWrite, ifMatch: string | undefined, caller: Caller): Promise<Versioned>;
  delete(id: number, ifMatch: string | undefined, caller: Caller): Promise<void>;
}

const NO_TEXT: LocalizedText = { en: null, tr: null };

function toInfo(record: ModelRecord, lang: Language): AccessLevelInfo {
  // The registry has checked the declaration of the model.
  const level = record as ModelRecord & LevelRow & { created_at: string; updated_at: string };
  const description = level.description ?? NO_TEXT;
  return {
    id: level.id,
    level: level.level,
    name: pickText(level.name, lang),
    description: pickText(description, lang),
    is_core: level.is_core,
    is_active: level.is_active,
    created_at: level.created_at,
    updated_at: level.updated_at,
    translations: { name: level.name, description },
  };
}

/** The texts of a body, put into those that were there. */
function toValues(
  { level, is_active, ...body }: AccessLevelWrite,
  before: Pick<LevelRow, "name" | "description">,
  lang: Language,
): Record<string, unknown> {
  const values: Record<string, unknown> = {
    ...(level !== undefined && { level }),
    ...(is_active !== undefined && { is_active }),
  };
  for (const field of ["name", "description"] as const) {
    const given = body[field];
    if (given === null) values[field] = null;
    if (given === undefined || given === null) continue;
    values[field] = {
      ...(before[field] ?? NO_TEXT),
      ...(typeof given === "string" ? { [lang]: given } : given),
    };
  }
  return values;
}

export function createLevelEndpoints(deps: {
  content: ContentService;
  contentTypeId: number;
}): LevelEndpoints {
  const { content, contentTypeId } = deps;
  const toVersioned = ({ record, etag }: { record: ModelRecord; etag: string }, { lang }: Caller) => ({
    level: toInfo(record, lang),
    etag,
  });
  return {
    async list(query, pageSize, caller) {
      const asked = { page_size: String(pageSize), ...query };
      const { objects, pagination } = await content.list(contentTypeId, asked, caller);
      return { access_levels: objects.map((record) => toInfo(record, caller.lang)), pagination };
    },
    async get(id, caller) {
      return toVersioned(await content.get(contentTypeId, id, caller), caller);
    },
    async create(body, caller) {
      const values = toValues(body, { name: NO_TEXT, description: null }, caller.lang);
      return toVersioned(await content.create(contentTypeId, values, caller), caller);
    },
    async update(id, body, ifMatch, caller) {
      const { record, etag } = await content.get(contentTypeId, id, caller);
      // The registry has checked the declaration of the model.
      const values = toValues(body, record as ModelRecord & LevelRow, caller.lang);
      // Texts are put into those that were read just now: nobody may have written between.
      const readAs = body.name === undefined && !body.description ? undefined : etag;
      const options = { mode: "patch", ifMatch: ifMatch ?? readAs } as const;
      return toVersioned(await content.update(contentTypeId, id, values, options, caller), caller);
    },
    delete: (id, ifMatch, caller) => content.delete(contentTypeId, id, { ifMatch }, caller),
  };
}
