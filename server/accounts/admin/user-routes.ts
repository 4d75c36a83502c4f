import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { adminUser, adminUsersAnswer, adminUserWrite } from "#contract/admin-users.ts";
import { type RequireLevel, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { type App, doorQuery } from "#server/http/zod.ts";
import { getIfMatch, ID_PATH, idParams } from "./door-schemas.ts";
import type { UserDoors } from "./user-doors.ts";

/** Users of the admin service come 20 a page, of the user admin service 50 (specification B section 9). */
const LIST_DOORS = [
  ["/api/admin/users/", 20],
  ["/api/users/", 50],
] as const;

const LIST_TEXT =
  "Filters and sorts are `filters[0][field]`, `filters[0][operator]`, `filters[0][value]`, `sort[0][field]` and " +
  "`sort[0][direction]`, over the fields of an item: `is_staff` exact, `access_level` exact, gte, lt and others.";

function answer(reply: FastifyReply, { user, etag }: Awaited<ReturnType<UserDoors["get"]>>) {
  if (etag !== "") reply.header("ETag", etag);
  return user;
}

/** The documented doors to users (specification B section 7, admin service and user admin service). */
export function registerUserAdminRoutes(
  app: App,
  parts: { users: UserDoors; requireLevel: RequireLevel },
): void {
  const { users, requireLevel } = parts;
  const onRequest = requireLevel(ACCESS_LEVEL.admin);
  const about = { tags: ["users"], security: SIGNED_IN };

  for (const [url, pageSize] of LIST_DOORS) {
    app.get(
      url,
      {
        onRequest,
        schema: {
          ...about,
          summary: "A page of users",
          description: LIST_TEXT,
          querystring: doorQuery,
          response: { 200: adminUsersAnswer },
        },
      },
      (request) => users.list(request.query, pageSize, toCaller(request)),
    );
  }

  app.post(
    "/api/users/",
    {
      onRequest,
      schema: {
        ...about,
        summary: "Make an account for somebody",
        description: "The person chooses a password by mail.",
        body: adminUserWrite,
        response: { 201: adminUser },
      },
    },
    async (request, reply) => {
      const made = await users.create(request.body, toCaller(request));
      reply.code(201);
      return answer(reply, made);
    },
  );

  app.get(
    `/api/users/${ID_PATH}/`,
    { onRequest, schema: { ...about, summary: "One user", params: idParams, response: { 200: adminUser } } },
    async (request, reply) => answer(reply, await users.get(request.params.id, toCaller(request))),
  );

  for (const method of ["PUT", "PATCH"] as const) {
    app.route({
      method,
      url: `/api/users/${ID_PATH}/`,
      onRequest,
      schema: {
        ...about,
        summary: "Change a user",
        description: "Only what is sent changes.",
        params: idParams,
        body: adminUserWrite,
        response: { 200: adminUser },
      },
      handler: async (request, reply) => {
        const { id } = request.params;
        return answer(reply, await users.update(id, request.body, getIfMatch(request), toCaller(request)));
      },
    });
  }

  app.delete(
    `/api/users/${ID_PATH}/`,
    {
      onRequest,
      schema: { ...about, summary: "Delete a user", params: idParams, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await users.delete(request.params.id, getIfMatch(request), toCaller(request));
      return reply.code(204).send(null);
    },
  );
}
