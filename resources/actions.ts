import type { TFunction } from "i18next";
import { actionType } from "#contract/content/objects.ts";
import { toLiveTopic } from "#contract/live.ts";
import { buildActionFields, type Choice } from "./action-fields.ts";
import { KIND_FILTER, toGroupingFilters } from "./action-grouping.ts";
import { objectsResource } from "./objects.ts";
import type { QuickFilter, RecordSource } from "./record-source.ts";

export const actionsResource = {
  name: "actions",
  list: "/admin/actions",
  meta: { labelKey: "nav.actions", icon: "actions" },
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

export interface ActionsSourceParts {
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
export function buildActionsSource(parts: ActionsSourceParts): RecordSource {
  const { t, canView, contentTypeId, userContentTypeId, models, count, hasGroups } = parts;
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
