import type { TFunction } from "i18next";
import type { FieldInfo } from "#contract/content/models.ts";
import { buildField, OPERATORS_OF } from "./field.ts";

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
export function buildLevelFields(t: TFunction): FieldInfo[] {
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
