import type { TFunction } from "i18next";
import { toLiveTopic } from "#contract/live.ts";
import { buildLevelFields } from "./access-level-fields.ts";
import { toLevelSource } from "./access-level-record.ts";
import { objectsResource } from "./objects.ts";
import type { RecordSource } from "./record-source.ts";

export const accessLevelsResource = {
  name: "access-levels",
  list: "/admin/access-levels",
  meta: { labelKey: "nav.accessLevels", icon: "access-levels" },
} as const;

/** The content model behind the documented doors to access levels. */
export const ACCESS_LEVEL_MODEL = "accounts.access_level";

/** Specification B section 9. */
const PAGE_SIZE = 50;

/** Access levels of the documented doors (specification B sections 3 and 7) as the generic views see them. */
export function buildAccessLevelsSource(parts: {
  t: TFunction;
  /** What the signed-in person may do with access levels. */
  permissions: RecordSource["permissions"];
  /** Number of the content model; undefined while it isn't known, or where there is none. */
  contentTypeId: number | undefined;
}): RecordSource {
  const { t, permissions, contentTypeId } = parts;
  const [app_label = "", model_name = ""] = ACCESS_LEVEL_MODEL.split(".");
  const { list, name } = accessLevelsResource;
  const source: RecordSource = {
    content_type_id: contentTypeId ?? 0,
    app_label,
    model_name,
    verbose_name: t("accessLevels.one"),
    verbose_name_plural: t("accessLevels.title"),
    description: t("accessLevels.intro"),
    count: 0,
    count_is_estimate: false,
    has_timestamps: true,
    is_singleton: false,
    is_large: false,
    list_columns: ["name", "level", "description", "is_core", "is_active"],
    is_searchable: false,
    order_field: null,
    hidden_field: null,
    default_sort: [{ field: "level", direction: "asc" }],
    site_path: null,
    permissions,
    fields: buildLevelFields(t),
    resource: name,
    exportResource: contentTypeId === undefined ? null : objectsResource(contentTypeId),
    paths: { list, create: `${list}/new`, edit: (id) => `${list}/${id}`, bulk: null },
    topic: toLiveTopic(ACCESS_LEVEL_MODEL),
    quickFilters: [],
    pageSize: PAGE_SIZE,
    defaults: { is_active: true },
    texts: {
      none: t("accessLevels.none"),
      loadFailed: t("accessLevels.failed.load"),
      createFailed: t("accessLevels.failed.create"),
      updateFailed: t("accessLevels.failed.update"),
      deleteFailed: t("accessLevels.failed.delete"),
      deleteText: t("accessLevels.deleteText"),
      create: t("accessLevels.create"),
    },
  };
  return { ...source, ofRecord: (record) => toLevelSource(source, record, t) };
}
