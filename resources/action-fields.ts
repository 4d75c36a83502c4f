import type { TFunction } from "i18next";
import type { FieldInfo } from "#contract/content/models.ts";
import { actionType } from "#contract/content/objects.ts";
import { buildField } from "./field.ts";

/** A value that can be chosen, and what people call it. */
export interface Choice {
  value: string;
  label: string;
}

interface FieldParts {
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
export function buildActionFields(
  t: TFunction,
  { userContentTypeId, models, hasGroups }: FieldParts,
): FieldInfo[] {
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
