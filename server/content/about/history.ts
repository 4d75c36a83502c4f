import type { HistoryAnswer, HistoryEntry } from "#contract/content/objects.ts";
import type { Language } from "#contract/languages.ts";
import { listObjectEntries, toDeletedPerson, toShownName } from "#server/audit/service.ts";
import { type Caller, toReader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { rowRuleSql } from "#server/models/row-sql.ts";
import { requireModel, toSeenChanges } from "../records/access.ts";
import { canSeeRow } from "../records/record.ts";
import { ALIAS } from "../records/record-sql.ts";

/** Who wrote an entry; null: the server itself. Entries of accounts that were deleted long ago have no name. */
function toAuthor(id: number | null, username: string | null, lang: Language): HistoryEntry["user"] {
  if (id === null) return null;
  return username === null ? toDeletedPerson(id, lang) : { id, username: toShownName(username, lang) };
}

/**
 * The entries of one object, newest first. They outlive the object; of a model whose rows are not for everybody, nobody can
 * say any more whose a deleted one was, so that only a reader who sees every row reads on.
 */
export function createGetHistory({ pool, registry }: { pool: Queryable; registry: Registry }) {
  return async (
    contentTypeId: number,
    id: number,
    page: { before: number | null; limit: number },
    caller: Caller,
  ): Promise<HistoryAnswer> => {
    const model = requireModel(registry, contentTypeId, "view", caller.actor);
    const reader = toReader(caller);
    const isVisible =
      (await canSeeRow(pool, model, id, reader)) ?? rowRuleSql(model, "view", ALIAS, reader) === undefined;
    if (!isVisible) throw new AppError("object_not_found");
    const rows = await listObjectEntries(
      pool,
      { contentTypeId, objectId: id },
      { ...page, limit: page.limit + 1 },
    );
    const entries = rows.slice(0, page.limit).map(
      ({ user_id, username, changes, ...entry }): HistoryEntry => ({
        ...entry,
        user: toAuthor(user_id, username, reader.lang),
        changes: toSeenChanges(model, reader.level, changes),
      }),
    );
    return { entries, next_before: rows.length > page.limit ? (entries.at(-1)?.id ?? null) : null };
  };
}
