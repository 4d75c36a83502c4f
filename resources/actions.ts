import type { TFunction } from "i18next";
import type { FieldInfo, QueryFilter } from "#contract/content/models.ts";
import { actionType, toLiveTopic } from "#contract/content/objects.ts";
import { buildField } from "./field.ts";
import { objectsResource, type QuickFilter, type RecordSource } from "./record-source.ts";

export const actionsResource = {
  name: "actions",
  list: "/admin/actions",
  meta: { labelKey: "nav.actions", icon: "actions", goTo: "a", order: 500 },
} as const;

/** The content model behind the documented audit log. */
export const ACTION_MODEL = "audit.entry";

const NOTHING_TO_WRITE = { create: false, update: false, delete: false } as const;

/** The documented filter by type (specification B section 5). */
const TYPE_FILTER: QuickFilter = {
  labelKey: "audit.fields.actionType",
  options: actionType.options.map((type) => ({
    labelKey: `audit.types.${type}`,
    filters: [{ field: "action_type", operator: "exact", value: type }],
  })),
};

export interface ActionsSourceDeps {
  t: TFunction;
  canView: boolean;
  /** Of the log's content model, whose export holds the same rows; undefined while it isn't known, or where there is none. */
  contentTypeId: number | undefined;
  /** Of users: people are picked by name where it is known, else by number. */
  userContentTypeId: number | undefined;
  /** How many entries there are, about. */
  count: number;
  /** Whether the back end tells entries of one bulk operation apart from others. */
  hasGroups: boolean;
  /** Models that entries may speak of. */
  models: readonly Choice[];
}

/** The audit log (specification B sections 2, 3 and 5) as the generic views see it: read, filtered, never written. */
export function buildActionsSource(deps: ActionsSourceDeps): RecordSource {
  const { t, canView, contentTypeId, userContentTypeId, models, count, hasGroups } = deps;
  const [app_label = "", model_name = ""] = ACTION_MODEL.split(".");
  const { list, name } = actionsResource;
  return {
    content_type_id: contentTypeId ?? 0,
    app_label,
    model_name,
    verbose_name: t("audit.one"),
    verbose_name_plural: t("audit.title"),
    description: t("audit.intro"),
    count,
    count_is_estimate: true,
    has_timestamps: false,
    is_singleton: false,
    is_large: true,
    list_columns: [
      "action_type",
      "user",
      "change_message",
      "content_type_id",
      "object_repr",
      "timestamp",
      "ip_address",
    ],
    is_searchable: true,
    order_field: null,
    hidden_field: null,
    default_sort: [{ field: "timestamp", direction: "desc" }],
    site_path: null,
    permissions: { view: canView, ...NOTHING_TO_WRITE },
    fields: buildActionFields(t, { userContentTypeId, models, hasGroups }),
    resource: name,
    exportResource: contentTypeId === undefined ? null : objectsResource(contentTypeId),
    paths: { list, create: list, edit: (id) => `${list}/${id}`, bulk: null },
    topic: toLiveTopic(ACTION_MODEL),
    quickFilters: hasGroups ? [TYPE_FILTER, KIND_FILTER] : [TYPE_FILTER],
    ...(hasGroups && { toAddedFilters: toGroupingFilters }),
    texts: { none: t("audit.none"), loadFailed: t("audit.failed") },
  };
}

/** Says of an entry that it stands under the first one of its bulk operation. A back end without it lists every entry. */
export const FOLDED_FIELD = "is_folded";

/** These say something about all entries of an operation alike; any other is looked for in each entry. */
const OF_OPERATIONS: ReadonlySet<string> = new Set([
  "action_type",
  "user",
  "content_type_id",
  "detail",
  "timestamp",
  "ip_address",
]);
const KIND_OF_OPERATION = "isnull";

function isOfOperations({ field, operator }: QueryFilter): boolean {
  return OF_OPERATIONS.has(field) || (field === "batch_id" && operator === KIND_OF_OPERATION);
}

/** Whether a list of the log has one line for each bulk operation: not where single entries are looked for. */
export function isGrouped({ search, filters }: { search: string; filters: readonly QueryFilter[] }): boolean {
  return search === "" && filters.every(isOfOperations);
}

const UNFOLDED: QueryFilter = { field: FOLDED_FIELD, operator: "exact", value: "false" };

/** What the list asks beside its view. */
function toGroupingFilters(view: Parameters<typeof isGrouped>[0]): readonly QueryFilter[] {
  return isGrouped(view) ? [UNFOLDED] : [];
}

/** Every entry of one operation. */
export function ofBatch(id: string): QueryFilter {
  return { field: "batch_id", operator: "exact", value: id };
}

const detail = (value: string): QueryFilter => ({ field: "detail", operator: "exact", value });
const isInBatch = (value: "true" | "false"): QueryFilter => ({
  field: "batch_id",
  operator: KIND_OF_OPERATION,
  value: value === "true" ? "false" : "true",
});

/** Kinds of entries, and the list without lines for operations. */
const KIND_FILTER: QuickFilter = {
  labelKey: "audit.fields.kind",
  options: [
    { labelKey: "audit.kinds.single", filters: [isInBatch("false")] },
    { labelKey: "audit.kinds.bulk", filters: [isInBatch("true")] },
    { labelKey: "audit.kinds.export", filters: [detail("export")] },
    { labelKey: "audit.kinds.import", filters: [detail("import")] },
    { labelKey: "audit.kinds.permissions", filters: [detail("permission_change")] },
    // True of every entry: it asks for each by itself.
    {
      labelKey: "audit.kinds.each",
      filters: [{ field: FOLDED_FIELD, operator: "isnull", value: "false" }],
    },
  ],
};

/** A value that can be chosen, and what people call it. */
interface Choice {
  value: string;
  label: string;
}

interface FieldDeps {
  userContentTypeId: number | undefined;
  models: readonly Choice[];
  hasGroups: boolean;
}

/** What entries are grouped by: never columns of the list's own choice. */
function buildGroupFields(t: TFunction): FieldInfo[] {
  const text = { type: "CharField", control: "text", sortable: false, read_only: true } as const;
  return [
    buildField({ ...text, name: "batch_id", verbose_name: t("audit.fields.batch"), operators: ["exact"] }),
  ];
}

/** People are picked by name where their model is known. */
function buildUserField(t: TFunction, userContentTypeId: number | undefined): FieldInfo {
  return buildField({
    name: "user",
    verbose_name: t("audit.fields.user"),
    type: "ForeignKey",
    control: userContentTypeId === undefined ? "number" : "relation",
    sortable: false,
    read_only: true,
    operators: ["exact", "in", "isnull"],
    related_model: userContentTypeId ?? null,
  });
}

/** Of one entry, in the order of the documented item; only time has an order. */
function buildActionFields(t: TFunction, { userContentTypeId, models, hasGroups }: FieldDeps): FieldInfo[] {
  const text = { type: "CharField", control: "text", sortable: false, read_only: true } as const;
  const choice = { ...text, control: "choice" } as const;
  return [
    buildField({
      ...choice,
      name: "action_type",
      verbose_name: t("audit.fields.actionType"),
      operators: ["exact", "in"],
      choices: actionType.options.map((type) => ({ value: type, label: t(`audit.types.${type}`) })),
    }),
    buildUserField(t, userContentTypeId),
    buildField({ ...text, name: "change_message", verbose_name: t("audit.fields.what") }),
    buildField({
      ...choice,
      name: "content_type_id",
      verbose_name: t("audit.fields.model"),
      operators: models.length > 0 ? ["exact", "in"] : [],
      choices: [...models],
    }),
    buildField({
      ...text,
      name: "object_repr",
      verbose_name: t("audit.fields.object"),
      operators: ["contains", "exact"],
    }),
    buildField({
      ...text,
      name: "object_id",
      verbose_name: t("audit.fields.objectId"),
      operators: ["exact"],
    }),
    buildField({
      ...text,
      name: "timestamp",
      verbose_name: t("audit.fields.timestamp"),
      type: "DateTimeField",
      control: "datetime",
      sortable: true,
      operators: ["range", "gte", "lte"],
    }),
    buildField({
      ...text,
      name: "ip_address",
      verbose_name: t("audit.fields.ipAddress"),
      operators: ["exact"],
    }),
    ...(hasGroups ? buildGroupFields(t) : []),
  ];
}
