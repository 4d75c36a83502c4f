import type { ActionEntry, ActionsAnswer } from "#contract/accounts/admin-users.ts";
import type { ModelRecord } from "#contract/content/models.ts";
import type { Language } from "#contract/languages.ts";
import { ENTRY_MODEL, toDeletedPerson, toShownName } from "#server/audit/service.ts";
import type { Caller } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { type ContentService, toSeenChanges } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { COUNTED_MAX, type EntryRest, selectExistingIds, selectRest } from "./store.ts";

const USER_MODEL = "accounts.user";

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

type PersonName = Omit<NonNullable<ActionEntry["user"]>, "is_deleted">;

/** People by their numbers; who is gone has none. */
export type FindPeople = (db: Queryable, ids: readonly number[]) => Promise<ReadonlyMap<number, PersonName>>;

/** What stands beside the entries of a page. */
interface Beside {
  people: ReadonlyMap<number, PersonName>;
  rest: ReadonlyMap<number, EntryRest>;
  gone: ReadonlySet<string>;
}

function toBatch(id: string, counted: number | null): ActionEntry["batch"] {
  const count = counted === null ? null : Math.min(counted, COUNTED_MAX);
  return { id, count, is_more: counted !== null && counted > COUNTED_MAX };
}

/** An account that is no more, in the shape of one that is. */
function toGone(id: number, lang: Language): ActionEntry["user"] {
  return { ...toDeletedPerson(id, lang), first_name: "", last_name: "", is_deleted: true };
}

/** What an entry is about, in the reader's language where it has no name of its own. */
function toShownObject(
  { object_repr, object_id, detail }: EntryRecord,
  model: Model | undefined,
  lang: Language,
): string | null {
  if (model?.key === USER_MODEL) return toShownName(object_repr, lang);
  // Objects of a model, not one of them.
  return model && detail === "export" && object_id === null ? model.pluralLabels[lang] : object_repr;
}

/** The audit log as the console shows it (specification B sections 3 and 7). */
export interface Actions {
  /** A page of entries that the person may see, newest first where the query says nothing else. */
  list(query: Readonly<Record<string, unknown>>, caller: Caller): Promise<ActionsAnswer>;
  listNewest(caller: Caller, options: { pageSize: number }): Promise<ActionEntry[]>;
}

export function createActions(deps: {
  db: Queryable;
  content: ContentService;
  findPeople: FindPeople;
  registry: Registry;
}): Actions {
  const { db, content, findPeople, registry } = deps;

  function toEntry(entry: EntryRecord, beside: Beside, { actor, lang }: Caller): ActionEntry {
    const { id, repr: _repr, user: _user, content_type_id, ...rest } = entry;
    const model = registry.byContentTypeId.get(content_type_id ?? 0);
    const {
      user_id: userId = null,
      changes = null,
      batch_id = null,
      batch_count = null,
    } = beside.rest.get(id) ?? {};
    return {
      ...rest,
      id,
      user: userId === null ? null : (beside.people.get(userId) ?? toGone(userId, lang)),
      object_repr: toShownObject(entry, model, lang),
      ...(beside.gone.has(toObjectKey(entry)) && { is_object_gone: true }),
      content_type: model?.labels[lang] ?? null,
      content_type_id,
      ...(batch_id !== null && { batch: toBatch(batch_id, batch_count) }),
      changes: model ? toSeenChanges(model, actor.level, changes) : {},
    };
  }

  const actions: Actions = {
    async list(query, caller) {
      const model = registry.byKey.get(ENTRY_MODEL);
      if (!model) throw new AppError("model_not_found");
      const { objects, pagination } = await content.list(model.contentTypeId, toModelQuery(query), caller);
      const entries = objects as EntryRecord[]; // the registry has checked the declaration of the model
      const [people, rest, gone] = await Promise.all([
        findPeople(
          db,
          entries.map(({ user }) => user?.id).filter((id) => id !== undefined),
        ),
        selectRest(db, entries),
        findGoneObjects({ db, registry }, entries),
      ]);
      const beside = { people, rest, gone };
      return { actions: entries.map((entry) => toEntry(entry, beside, caller)), pagination };
    },
    async listNewest(caller, { pageSize }) {
      return (await actions.list({ page_size: String(pageSize) }, caller)).actions;
    },
  };
  return actions;
}

interface About {
  content_type_id: number | null;
  object_id: string | null;
}

const ID = /^\d{1,15}$/;

/** How a set names an object. */
function toObjectKey({ content_type_id, object_id }: About): string {
  return `${content_type_id}:${object_id}`;
}

/** Of the objects that some entries speak of those that are no more, as `toObjectKey` names them; one query a model. */
async function findGoneObjects(
  { db, registry }: { db: Queryable; registry: Registry },
  entries: readonly About[],
): Promise<ReadonlySet<string>> {
  const byModel = new Map<Model, Map<string, string>>();
  for (const entry of entries) {
    const model = registry.byContentTypeId.get(entry.content_type_id ?? 0);
    if (!model || entry.object_id === null || !ID.test(entry.object_id)) continue;
    const ids = byModel.get(model) ?? new Map();
    byModel.set(model, ids.set(entry.object_id, toObjectKey(entry)));
  }
  const gone = new Set<string>();
  await Promise.all(
    [...byModel].map(async ([model, keys]) => {
      const existing = await selectExistingIds(db, model.table, [...keys.keys()]);
      for (const [id, key] of keys) if (!existing.has(id)) gone.add(key);
    }),
  );
  return gone;
}
