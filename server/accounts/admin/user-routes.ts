import type { FastifyReply } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import {
  type AdminUser,
  type AdminUsersAnswer,
  type AdminUserWrite,
  adminUser,
  adminUsersAnswer,
  adminUserWrite,
  endedSessionsAnswer,
} from "#contract/accounts/admin-users.ts";
import type { ModelRecord } from "#contract/content/models.ts";
import type { Caller } from "#server/base/actor.ts";
import type { ContentService, VersionedRecord } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type RequireLevel, requireActor, SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import { type App, getIfMatch, ID_PATH, idParams, listQuery } from "#server/http/zod.ts";
import type { ReadMailStates } from "#server/mail/service.ts";
import type { AccountDeps } from "../deps.ts";
import { toAdminUser, toEndpointError, toModelQuery, toUserValues } from "./documented-shape.ts";
import { endSessionsOf } from "./end-sessions.ts";
import { type LevelRow, listLevels } from "./store.ts";

/** Users of the admin service come 20 a page, of the user admin service 50 (specification B section 9). */
const LIST_ROUTES = [
  ["/api/admin/users/", 20],
  ["/api/users/", 50],
] as const;

const LIST_TEXT =
  "Filters and sorts are `filters[0][field]`, `filters[0][operator]`, `filters[0][value]`, `sort[0][field]` and " +
  "`sort[0][direction]`, over the fields of an item: `is_staff` exact, `access_level` exact, gte, lt and others.";

function answer(reply: FastifyReply, { user, etag }: Awaited<ReturnType<UserEndpoints["get"]>>) {
  if (etag !== "") reply.header("ETag", etag);
  return user;
}

/** The documented endpoints of users (specification B section 7, admin service and user admin service). */
export function registerUserAdminRoutes(
  app: App,
  deps: { users: UserEndpoints; accounts: AccountDeps; requireLevel: RequireLevel },
): void {
  const { users, accounts, requireLevel } = deps;
  const onRequest = requireLevel(ACCESS_LEVEL.admin);
  const about = { tags: ["users"], security: SIGNED_IN };

  for (const [url, pageSize] of LIST_ROUTES) {
    app.get(
      url,
      {
        onRequest,
        schema: {
          ...about,
          summary: "A page of users",
          description: LIST_TEXT,
          querystring: listQuery,
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
    `/api/users/${ID_PATH}/sessions/`,
    {
      onRequest: [noStore, onRequest],
      schema: {
        ...about,
        summary: "End all sessions of a user",
        description:
          "People below the caller's level; for a superuser everybody. Known devices are forgotten too.",
        params: idParams,
        response: { 200: endedSessionsAnswer },
      },
    },
    async (request) => ({ ended: await endSessionsOf(accounts, request.params.id, requireActor(request)) }),
  );

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

interface Versioned {
  user: AdminUser;
  etag: string;
}

/** The documented calls on users, over the model that every other endpoint shows. */
interface UserEndpoints {
  list(query: Record<string, unknown>, pageSize: number, caller: Caller): Promise<AdminUsersAnswer>;
  get(id: number, caller: Caller): Promise<Versioned>;
  create(body: AdminUserWrite, caller: Caller): Promise<Versioned>;
  /** Only what is sent changes. */
  update(id: number, body: AdminUserWrite, ifMatch: string | undefined, caller: Caller): Promise<Versioned>;
  delete(id: number, ifMatch: string | undefined, caller: Caller): Promise<void>;
}

export function createUserEndpoints(deps: {
  db: Queryable;
  content: ContentService;
  readMailStates: ReadMailStates;
  contentTypeId: number;
}): UserEndpoints {
  const { db, content, readMailStates, contentTypeId } = deps;
  /** Whether mail reaches them is asked for all of them at once. */
  const toUsers = async (
    records: readonly ModelRecord[],
    levels: readonly LevelRow[],
    { lang }: Caller,
  ): Promise<AdminUser[]> => {
    const users = records.map((record) => toAdminUser(record, levels, lang));
    const states = await readMailStates(
      db,
      users.map(({ email }) => email),
      lang,
    );
    return users.map((user) => ({ ...user, mail_state: states.get(user.email) ?? null }));
  };
  const toVersioned = async (
    { record, etag }: VersionedRecord,
    levels: readonly LevelRow[],
    caller: Caller,
  ): Promise<Versioned> => {
    const [user] = await toUsers([record], levels, caller);
    if (!user) throw new Error("a record is no user");
    return { user, etag };
  };
  /** A write under the names of the documented body; so are what it answers and what it refuses. */
  const write = async (
    body: AdminUserWrite,
    caller: Caller,
    run: (values: Record<string, unknown>) => Promise<VersionedRecord>,
  ): Promise<Versioned> => {
    const levels = await listLevels(db);
    const written = await run(toUserValues(body, levels)).catch((error: unknown) => {
      throw toEndpointError(error, levels, caller.lang);
    });
    return toVersioned(written, levels, caller);
  };
  return {
    async list(query, pageSize, caller) {
      const levels = await listLevels(db);
      const asked = toModelQuery({ page_size: String(pageSize), ...query }, levels);
      const { objects, pagination } = await content
        .list(contentTypeId, asked, caller)
        .catch((error: unknown) => {
          throw toEndpointError(error, levels, caller.lang);
        });
      return { users: await toUsers(objects, levels, caller), pagination };
    },
    async get(id, caller) {
      const found = await content.get(contentTypeId, id, caller);
      return toVersioned(found, await listLevels(db), caller);
    },
    create: (body, caller) =>
      write({ access_level: ACCESS_LEVEL.user, ...body }, caller, (values) =>
        content.create(contentTypeId, values, caller),
      ),
    update: (id, body, ifMatch, caller) =>
      write(body, caller, (values) =>
        content.update(contentTypeId, id, values, { mode: "patch", ifMatch }, caller),
      ),
    delete: (id, ifMatch, caller) => content.delete(contentTypeId, id, { ifMatch }, caller),
  };
}
