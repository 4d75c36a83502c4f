import { ACCESS_LEVEL, type PermissionsAnswer } from "#contract/accounts/accounts.ts";
import type { FieldInfo, ModelInfo, ObjectsAnswer, Pagination } from "#contract/content/models.ts";
import type { Language } from "#contract/languages.ts";
import { type Actor, type Caller, toReader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { AbortableQueries } from "#server/db/abortable-queries.ts";
import type { Field, Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { findOrderField, isAllowed, isWritable, requireModel, toView } from "../records/access.ts";
import { selectVersioned, type VersionedRecord } from "../records/record.ts";
import type { Total } from "./measure-total.ts";
import { type Page, selectPage } from "./page.ts";
import { EVERYTHING, type ListQuery, parseListQuery } from "./query.ts";
import type { Totals } from "./totals.ts";

export interface ReadDeps {
  queries: AbortableQueries;
  registry: Registry;
  totals: Totals;
  /** Factor on the time limit of a search over all models. */
  patience: number;
}

/** The calls that read. */
export interface ContentReads {
  /** What the person may do with each model that they may see, without a query. */
  getPermissions(actor: Pick<Actor, "level">): PermissionsAnswer;
  listModels(caller: Caller): Promise<ModelInfo[]>;
  getModel(contentTypeId: number, caller: Caller): Promise<ModelInfo>;
  list(contentTypeId: number, query: Record<string, unknown>, caller: Caller): Promise<ObjectsAnswer>;
  /** With the name of the version, which `If-Match` takes. */
  get(contentTypeId: number, id: number, caller: Caller): Promise<VersionedRecord>;
}

/** A page that isn't full is the last one, and shows the total; one behind the end shows nothing. */
function findTotal({ page, pageSize, cursor }: ListQuery, { objects, nextCursor }: Page): Total | undefined {
  const isLast = nextCursor === null && cursor === null && (objects.length > 0 || page === 1);
  return isLast ? { count: (page - 1) * pageSize + objects.length, isEstimate: false } : undefined;
}

function toPagination({ page, pageSize }: ListQuery, total: Total, nextCursor: string | null): Pagination {
  return {
    page,
    page_size: pageSize,
    total_count: total.count,
    total_pages: Math.ceil(total.count / pageSize),
    count_is_estimate: total.isEstimate,
    next_cursor: nextCursor,
  };
}

export function createContentReads({ queries, registry, totals }: Omit<ReadDeps, "patience">): ContentReads {
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
      const { level } = caller.actor;
      const visible = registry.models.filter((model) => isAllowed(model, "view", level));
      const counts = await totals.getEach(
        visible.map((model) => toView(model, level)),
        toReader(caller),
      );
      return visible.map((model, index) =>
        describeModel(model, counts[index] ?? { count: 0, isEstimate: true }, level, caller.lang),
      );
    },

    async getModel(contentTypeId, caller) {
      const { level } = caller.actor;
      const model = requireModel(registry, contentTypeId, "view", caller.actor);
      const total = await totals.get(toView(model, level), EVERYTHING, toReader(caller));
      return describeModel(model, total, level, caller.lang);
    },

    async list(contentTypeId, rawQuery, caller) {
      const view = toView(requireModel(registry, contentTypeId, "view", caller.actor), caller.actor.level);
      const query = parseListQuery(view, rawQuery);
      const reader = toReader(caller);
      const getTotal = (isExact: boolean) =>
        totals.get(view, query, reader, { isExact, signal: caller.signal });
      // A caller that wants the exact number with a later page gets it first: that page may be nearer to the end.
      if (query.isCountExact && query.page > 1) await getTotal(true);
      const knownTotal = query.page > 1 ? totals.findExact(view, query, reader) : undefined;
      const [page, measured] = await Promise.all([
        selectPage(queries, { view, query, reader, knownTotal, signal: caller.signal }),
        getTotal(query.isCountExact),
      ]);
      const isBehindEnd = page.objects.length === 0 && query.page > 1 && measured.isEstimate;
      const total = findTotal(query, page) ?? (isBehindEnd ? await getTotal(true) : measured);
      return { objects: page.objects, pagination: toPagination(query, total, page.nextCursor) };
    },

    async get(contentTypeId, id, caller) {
      const view = toView(requireModel(registry, contentTypeId, "view", caller.actor), caller.actor.level);
      const found = await selectVersioned(queries, view, id, toReader(caller), caller.signal);
      if (!found) throw new AppError("object_not_found");
      return found;
    },
  };
}

/** A model that one may not see does not exist. */
function findRelatedId({ related }: Field, level: number): number | null {
  return related && isAllowed(related, "view", level) ? related.contentTypeId : null;
}

function describeField(field: Field, level: number, lang: Language): FieldInfo {
  return {
    name: field.name,
    verbose_name: field.labels[lang],
    type: field.kind.wireType,
    help_text: field.help[lang],
    control: field.kind.control,
    required: field.isRequired,
    read_only: !isWritable(field, level),
    sortable: field.isSortable,
    operators: [...field.kind.operators],
    max_length: field.maxLength,
    accept: [...field.accept],
    related_model: findRelatedId(field, level),
    choices: field.choices.map(({ value, labels }) => ({ value, label: labels[lang] })),
    digits: field.digits,
    ...(field.placeholders.length > 0 && {
      placeholders: field.placeholders.map(({ value, labels }) => ({ value, label: labels[lang] })),
    }),
    ...(field.isSecret && { is_secret: true }),
    ...(field.isUnique && { is_unique: true }),
    ...(field.initial !== null && { initial: field.initial }),
  };
}

/** What a level may do with a model. */
function describePermissions(model: Model, level: number): ModelInfo["permissions"] {
  return {
    view: isAllowed(model, "view", level),
    create: isAllowed(model, "create", level),
    update: isAllowed(model, "update", level),
    delete: isAllowed(model, "delete", level),
  };
}

/** The switch that every item of a public page has (`ITEM_FIELDS`). */
function findHiddenField({ fields }: Model, level: number): string | null {
  return fields.find((field) => field.name === "is_hidden" && isWritable(field, level))?.name ?? null;
}

/** A model as the console learns it: its words in one language, its fields, what this level may do. */
export function describeModel(model: Model, total: Total, level: number, lang: Language): ModelInfo {
  const view = toView(model, level);
  return {
    content_type_id: model.contentTypeId,
    app_label: model.app,
    model_name: model.name,
    verbose_name: model.labels[lang],
    verbose_name_plural: model.pluralLabels[lang],
    description: model.help[lang],
    count: total.count,
    count_is_estimate: total.isEstimate,
    has_timestamps: model.hasTimestamps,
    is_singleton: model.isSingleton,
    is_large: model.isLarge,
    list_columns: model.listColumns.filter((name) => view.fieldByName.has(name)),
    is_searchable: model.isSearchable,
    default_sort: model.defaultSort
      .filter((term) => term.field === "id" || view.fieldByName.has(term.field))
      .map((term) => ({ ...term })),
    site_path: model.sitePath,
    order_field: findOrderField(model, level)?.name ?? null,
    hidden_field: findHiddenField(model, level),
    permissions: describePermissions(model, level),
    fields: view.fields.map((field) => describeField(field, level, lang)),
  };
}
