import type { Language } from "#contract/languages.ts";
import type { FieldInfo, ModelInfo } from "#contract/models.ts";
import type { Field, Model } from "#server/models/model.ts";
import type { Total } from "./list/measure-total.ts";
import { findOrderField } from "./order-field.ts";
import { isAllowed } from "./records/access.ts";
import { isWritable, toView } from "./view.ts";

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
    ...(field.isSecret && { is_secret: true }),
    ...(field.isUnique && { is_unique: true }),
  };
}

/** What a level may do with a model. */
export function describePermissions(model: Model, level: number): ModelInfo["permissions"] {
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
