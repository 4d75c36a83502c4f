import type { TFunction } from "i18next";
import type { FieldInfo, ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "./record-source.ts";

/** A back end that names no translations has one text only. */
function toTextField(field: FieldInfo, record: ModelRecord): FieldInfo {
  if (!field.control.startsWith("localized-") || typeof record[field.name] !== "string") return field;
  return { ...field, type: "CharField", control: "text" };
}

const CORE_KEEPS = ["level", "is_active"];

/** The source as one level has it: a core level keeps its number and stays on; another number is asked about. */
export function toLevelSource(source: RecordSource, record: ModelRecord | null, t: TFunction): RecordSource {
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
