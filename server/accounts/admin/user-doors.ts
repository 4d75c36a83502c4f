import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { AdminUser, AdminUsersAnswer, AdminUserWrite } from "#contract/admin-users.ts";
import type { ModelRecord } from "#contract/models.ts";
import type { ContentService, VersionedRecord } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { ReadMailStates } from "#server/mail/service.ts";
import type { Caller } from "../../base/actor.ts";
import { toModelQuery } from "./documented-shape.ts";
import { type LevelRow, listLevels } from "./level-store.ts";
import { toAdminUser, toDoorError, toUserValues } from "./user-shape.ts";

interface Versioned {
  user: AdminUser;
  etag: string;
}

/** The documented calls on users, over the model that every other door shows. */
export interface UserDoors {
  list(query: Record<string, unknown>, pageSize: number, caller: Caller): Promise<AdminUsersAnswer>;
  get(id: number, caller: Caller): Promise<Versioned>;
  create(body: AdminUserWrite, caller: Caller): Promise<Versioned>;
  /** Only what is sent changes. */
  update(id: number, body: AdminUserWrite, ifMatch: string | undefined, caller: Caller): Promise<Versioned>;
  delete(id: number, ifMatch: string | undefined, caller: Caller): Promise<void>;
}

export function createUserDoors(parts: {
  db: Queryable;
  content: ContentService;
  readMailStates: ReadMailStates;
  contentTypeId: number;
}): UserDoors {
  const { db, content, readMailStates, contentTypeId } = parts;
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
      throw toDoorError(error, levels, caller.lang);
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
          throw toDoorError(error, levels, caller.lang);
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
