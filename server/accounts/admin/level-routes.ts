import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { accessLevelInfo, accessLevelsAnswer, accessLevelWrite } from "#contract/admin-users.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { type App, doorQuery } from "#server/http/zod.ts";
import { getIfMatch, ID_PATH, idParams } from "./door-schemas.ts";
import type { LevelDoors } from "./level-doors.ts";

const PATH = "/api/users/access-levels/";
/** Specification B section 9. */
const PAGE_SIZE = 50;

function answer(reply: FastifyReply, { level, etag }: Awaited<ReturnType<LevelDoors["get"]>>) {
  if (etag !== "") reply.header("ETag", etag);
  return level;
}

/** The documented doors to access levels (specification B section 7, user admin service). */
export function registerLevelRoutes(
  app: App,
  parts: { levels: LevelDoors; requireLevel: RequireLevel },
): void {
  const { levels, requireLevel } = parts;
  const onRequest = requireLevel(ACCESS_LEVEL.admin);
  const about = { tags: ["users"], security: SIGNED_IN };

  app.get(
    PATH,
    {
      onRequest,
      schema: {
        ...about,
        summary: "Access levels",
        querystring: doorQuery,
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
