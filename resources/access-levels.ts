import type { TFunction } from "i18next";
import type { FieldInfo, ModelRecord } from "#contract/content/models.ts";
import { toLiveTopic } from "#contract/content/objects.ts";
import { buildField, OPERATORS_OF } from "./field.ts";
import { objectsResource, type RecordSource } from "./record-source.ts";

export const accessLevelsResource = {
  name: "access-levels",
  list: "/admin/access-levels",
  meta: { labelKey: "nav.accessLevels", icon: "access-levels", goTo: "l", order: 300 },
} as const;

/** The content model behind the documented endpoints of access levels. */
export const ACCESS_LEVEL_MODEL = "accounts.access_level";

/** Specification B section 9. */
const PAGE_SIZE = 50;

/** Access levels of the documented endpoints (specification B sections 3 and 7) as the generic views see them. */
export function buildAccessLevelsSource(deps: {
  t: TFunction;
  /** What the signed-in person may do with access levels. */
  permissions: RecordSource["permissions"];
  /** Number of the content model; undefined while it isn't known, or where there is none. */
  contentTypeId: number | undefined;
}): RecordSource {
  const { t, permissions, contentTypeId } = deps;
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

const NAME_MAX_CHARS = 100;
const DESCRIPTION_MAX_CHARS = 300;
function buildTexts(t: TFunction): FieldInfo[] {
  const text = {
    type: "LocalizedCharField",
    control: "localized-text",
    operators: OPERATORS_OF.text,
  } as const;
  return [
    buildField({
      ...text,
      name: "name",
      verbose_name: t("accessLevels.fields.name"),
      required: true,
      max_length: NAME_MAX_CHARS,
    }),
    buildField({
      ...text,
      name: "description",
      verbose_name: t("accessLevels.fields.description"),
      control: "localized-textarea",
      max_length: DESCRIPTION_MAX_CHARS,
    }),
  ];
}

function buildSwitches(t: TFunction): FieldInfo[] {
  const toggle = { type: "BooleanField", control: "switch", operators: OPERATORS_OF.switch } as const;
  return [
    buildField({
      ...toggle,
      name: "is_core",
      verbose_name: t("accessLevels.fields.isCore"),
      help_text: t("accessLevels.help.isCore"),
      read_only: true,
    }),
    buildField({
      ...toggle,
      name: "is_active",
      verbose_name: t("accessLevels.fields.isActive"),
      help_text: t("accessLevels.help.isActive"),
    }),
  ];
}

function buildMoments(t: TFunction): FieldInfo[] {
  const moment = {
    type: "DateTimeField",
    control: "datetime",
    operators: OPERATORS_OF.moment,
    read_only: true,
  } as const;
  return [
    buildField({ ...moment, name: "created_at", verbose_name: t("accessLevels.fields.createdAt") }),
    buildField({ ...moment, name: "updated_at", verbose_name: t("accessLevels.fields.updatedAt") }),
  ];
}

/** The documented fields of an access level in the order of the form. */
function buildLevelFields(t: TFunction): FieldInfo[] {
  const level = buildField({
    name: "level",
    verbose_name: t("accessLevels.fields.level"),
    help_text: t("accessLevels.help.level"),
    type: "IntegerField",
    control: "number",
    required: true,
    is_unique: true,
    operators: OPERATORS_OF.number,
  });
  return [level, ...buildTexts(t), ...buildSwitches(t), ...buildMoments(t)];
}

/** A back end that names no translations has one text only. */
function toTextField(field: FieldInfo, record: ModelRecord): FieldInfo {
  if (!field.control.startsWith("localized-") || typeof record[field.name] !== "string") return field;
  return { ...field, type: "CharField", control: "text" };
}

const CORE_KEEPS = ["level", "is_active"];

/** The source as one level has it: a core level keeps its number and stays on; another number is asked about. */
function toLevelSource(source: RecordSource, record: ModelRecord | null, t: TFunction): RecordSource {
  if (record === null) {
    const asked = source.fields.filter(({ name }) => name !== "is_core");
    return { ...source, fields: asked };
  }
  const isCore = record.is_core === true;
  return {
    ...source,
    ...(isCore && {
      notice: t("accessLevels.notice.core"),
      permissions: { ...source.permissions, delete: false },
    }),
    fields: source.fields.map((field) => ({
      ...toTextField(field, record),
      read_only: field.read_only || (isCore && CORE_KEEPS.includes(field.name)),
    })),
    toQuestion({ level }) {
      if (level === undefined || String(level) === String(record.level)) return undefined;
      return {
        title: t("accessLevels.question.title"),
        text: t("accessLevels.question.text", { before: String(record.level), after: String(level) }),
        ok: t("accessLevels.question.ok"),
      };
    },
  };
}
