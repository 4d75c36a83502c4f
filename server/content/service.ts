import type pg from "pg";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { PermissionsAnswer } from "#contract/accounts.ts";
import type { Language } from "#contract/languages.ts";
import type { ModelInfo, ModelRecord, ObjectsAnswer } from "#contract/models.ts";
import { type AuditEntry, recordAudit, toChanges } from "#server/audit/service.ts";
import { type ChangeFeed, notifyChange } from "#server/db/changes.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { FileService } from "#server/files/service.ts";
import { AppError } from "#server/http/errors.ts";
import type { Actor } from "#server/models/actor.ts";
import type { Field, Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry.ts";
import { isAllowed, requireModel } from "./access.ts";
import { toWriteError } from "./database-faults.ts";
import { describeModel, describePermissions } from "./describe.ts";
import { type ListQuery, parseListQuery } from "./query.ts";
import { deleteOne, insertOne, selectOne, selectPage, updateOne } from "./store.ts";
import type { Totals } from "./totals.ts";
import { parseValues } from "./values.ts";

/** Who asks, and in which language the answer reads. */
export interface Caller {
  actor: Actor;
  lang: Language;
}

export interface ContentService {
  /** What the person may do with each model that they may see, without a query. */
  getPermissions(actor: Pick<Actor, "level">): PermissionsAnswer;
  listModels(caller: Caller): Promise<ModelInfo[]>;
  getModel(contentTypeId: number, caller: Caller): Promise<ModelInfo>;
  list(contentTypeId: number, query: Record<string, unknown>, caller: Caller): Promise<ObjectsAnswer>;
  get(contentTypeId: number, id: number, caller: Caller): Promise<ModelRecord>;
  create(contentTypeId: number, body: Record<string, unknown>, caller: Caller): Promise<ModelRecord>;
  /** `replace` empties what the body doesn't name. */
  update(
    contentTypeId: number,
    id: number,
    body: Record<string, unknown>,
    mode: "replace" | "patch",
    caller: Caller,
  ): Promise<ModelRecord>;
  delete(contentTypeId: number, id: number, caller: Caller): Promise<void>;
}

/** Values of declared fields: what an audit entry keeps, without `id` and `repr`. */
function toFieldValues(record: ModelRecord): Record<string, unknown> {
  const { id: _id, repr: _repr, ...values } = record;
  return values;
}

function toEntry(model: Model, record: ModelRecord, entry: AuditEntry): AuditEntry {
  return { contentTypeId: model.contentTypeId, objectId: record.id, objectRepr: record.repr, ...entry };
}

/** The generic doors over every declared model. One write is one transaction: row, audit entry, notice. */
export function createContentService(parts: {
  pool: pg.Pool;
  registry: Registry;
  totals: Totals;
  files: FileService;
  feed: Pick<ChangeFeed, "announce">;
}): ContentService {
  const { pool, registry, totals, files, feed } = parts;

  const toInfo = async (model: Model, { actor, lang }: Caller) =>
    describeModel(model, await totals.get(model, { search: "", filters: [] }), actor.level, lang);

  const requireRecord = async (model: Model, id: number, lang: Language): Promise<ModelRecord> => {
    const record = await selectOne(pool, model, id, lang);
    if (!record) throw new AppError("object_not_found");
    return record;
  };

  /**
   * Runs a write and turns what PostgreSQL refuses into an error for people. Caches of this process have dropped the model
   * before the answer goes out, so that who wrote never reads the state before.
   */
  const write = async <Answer>(
    model: Model,
    operation: "write" | "delete",
    work: (client: pg.PoolClient) => Promise<Answer>,
  ): Promise<Answer> => {
    try {
      const answer = await withTransaction(pool, work);
      feed.announce(model.key);
      return answer;
    } catch (error) {
      throw toWriteError(error, model, operation);
    }
  };

  const checkFiles = async (values: ReadonlyMap<Field, unknown>) => {
    for (const [field, value] of values) {
      if (field.kind.name === "file" && value !== null)
        await files.checkAccepted(String(value), field.name, field.accept);
    }
  };

  return {
    getPermissions: ({ level }) => ({
      access_level: level,
      is_superuser: level === ACCESS_LEVEL.superuser,
      models: registry.models
        .filter((model) => isAllowed(model, "view", level))
        .map((model) => ({
          content_type_id: model.contentTypeId,
          app_label: model.app,
          model_name: model.name,
          permissions: describePermissions(model, level),
        })),
    }),

    async listModels(caller) {
      const visible = registry.models.filter((model) => isAllowed(model, "view", caller.actor.level));
      return Promise.all(visible.map((model) => toInfo(model, caller)));
    },

    async getModel(contentTypeId, caller) {
      return toInfo(requireModel(registry, contentTypeId, "view", caller.actor), caller);
    },

    async list(contentTypeId, rawQuery, { actor, lang }) {
      const model = requireModel(registry, contentTypeId, "view", actor);
      const query: ListQuery = parseListQuery(model, rawQuery);
      const [objects, total] = await Promise.all([
        selectPage(pool, model, query, lang),
        totals.get(model, query),
      ]);
      return {
        objects,
        pagination: {
          page: query.page,
          page_size: query.pageSize,
          total_count: total.count,
          total_pages: Math.ceil(total.count / query.pageSize),
          count_is_estimate: total.isEstimate,
        },
      };
    },

    async get(contentTypeId, id, { actor, lang }) {
      return requireRecord(requireModel(registry, contentTypeId, "view", actor), id, lang);
    },

    async create(contentTypeId, body, { actor, lang }) {
      const model = requireModel(registry, contentTypeId, "create", actor);
      const values = parseValues(model, body, "create");
      await checkFiles(values);
      return write(model, "write", async (client) => {
        const id = await insertOne(client, model, values);
        const record = await selectOne(client, model, id, lang);
        if (!record) throw new AppError("internal");
        const changes = toChanges({}, toFieldValues(record));
        await recordAudit(
          client,
          actor,
          toEntry(model, record, { action: "CREATE", message: "Created", changes }),
        );
        await notifyChange(client, model.key);
        return record;
      });
    },

    async update(contentTypeId, id, body, mode, { actor, lang }) {
      const model = requireModel(registry, contentTypeId, "update", actor);
      const values = parseValues(model, body, mode);
      await checkFiles(values);
      return write(model, "write", async (client) => {
        const before = await selectOne(client, model, id, lang, "FOR UPDATE");
        if (!before) throw new AppError("object_not_found");
        if (values.size === 0) return before;
        await updateOne(client, model, id, values);
        const after = (await selectOne(client, model, id, lang)) ?? before;
        const { updated_at: _updated, ...changes } = toChanges(toFieldValues(before), toFieldValues(after));
        const message = `Changed ${Object.keys(changes).join(", ") || "nothing"}`;
        await recordAudit(client, actor, toEntry(model, after, { action: "UPDATE", message, changes }));
        await notifyChange(client, model.key);
        return after;
      });
    },

    async delete(contentTypeId, id, { actor, lang }) {
      const model = requireModel(registry, contentTypeId, "delete", actor);
      await write(model, "delete", async (client) => {
        const record = await selectOne(client, model, id, lang, "FOR UPDATE");
        if (!record) throw new AppError("object_not_found");
        await deleteOne(client, model, id);
        const changes = toChanges(toFieldValues(record), {});
        await recordAudit(
          client,
          actor,
          toEntry(model, record, { action: "DELETE", message: "Deleted", changes }),
        );
        await notifyChange(client, model.key);
      });
    },
  };
}
