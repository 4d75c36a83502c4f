import type { ActionEntry, ActionsAnswer } from "#contract/admin-users.ts";
import type { ModelRecord } from "#contract/models.ts";
import { findPeople, type PersonName } from "#server/accounts/service.ts";
import { type ContentService, toSeenChanges } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Caller } from "#server/http/caller.ts";
import { AppError } from "#server/http/errors.ts";
import type { Registry } from "#server/models/registry.ts";
import { type Changes, ENTRY_MODEL } from "./service.ts";
import { selectChanges } from "./store.ts";

/** Entries of an admin page (specification B section 9). */
const ACTIONS_PAGE_SIZE = 20;

/** Names of the documented filters (specification B section 5) and those of the model's fields. */
const FIELD_BY_NAME: Readonly<Record<string, string>> = { content_type: "content_type_id" };
const NAMED = /^(?:filters|sort)\[\d{1,3}\]\[field\]$/;

/** A record of the log's model as its fields are declared. */
interface EntryRecord extends ModelRecord {
  timestamp: string;
  user: { id: number } | null;
  action_type: ActionEntry["action_type"];
  detail: string | null;
  content_type_id: number | null;
  object_id: string | null;
  object_repr: string | null;
  change_message: string;
  ip_address: string | null;
}

function toModelQuery(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const asked: Record<string, unknown> = { page_size: String(ACTIONS_PAGE_SIZE), ...query };
  for (const [key, name] of Object.entries(query))
    if (NAMED.test(key) && typeof name === "string") asked[key] = FIELD_BY_NAME[name] ?? name;
  return asked;
}

/** What stands beside the entries of a page. */
interface Beside {
  people: ReadonlyMap<number, PersonName>;
  changes: ReadonlyMap<number, Changes>;
}

/** The audit log as the console shows it (specification B sections 3 and 7). */
export interface Actions {
  /** A page of entries that the person may see, newest first where the query says nothing else. */
  list(query: Readonly<Record<string, unknown>>, caller: Caller): Promise<ActionsAnswer>;
}

export function createActions(parts: {
  db: Queryable;
  content: ContentService;
  registry: Registry;
}): Actions {
  const { db, content, registry } = parts;

  function toEntry(entry: EntryRecord, beside: Beside, { actor, lang }: Caller): ActionEntry {
    const { id, repr: _repr, user, content_type_id, ...rest } = entry;
    const model = registry.byContentTypeId.get(content_type_id ?? 0);
    return {
      ...rest,
      id,
      user: beside.people.get(user?.id ?? 0) ?? null,
      content_type: model?.labels[lang] ?? null,
      content_type_id,
      changes: model ? toSeenChanges(model, actor.level, beside.changes.get(id) ?? null) : {},
    };
  }

  return {
    async list(query, caller) {
      const model = registry.byKey.get(ENTRY_MODEL);
      if (!model) throw new AppError("model_not_found");
      const { objects, pagination } = await content.list(model.contentTypeId, toModelQuery(query), caller);
      const entries = objects as EntryRecord[]; // the registry has checked the declaration of the model
      const [people, changes] = await Promise.all([
        findPeople(
          db,
          entries.map(({ user }) => user?.id).filter((id) => id !== undefined),
        ),
        selectChanges(db, entries),
      ]);
      const beside = { people, changes };
      return { actions: entries.map((entry) => toEntry(entry, beside, caller)), pagination };
    },
  };
}
