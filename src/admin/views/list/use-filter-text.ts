import { useTranslation } from "react-i18next";
import { type Language, toLanguage } from "#contract/languages.ts";
import type { FieldInfo, QueryFilter } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { formatDateTime, formatPartialDate, toChoiceLabel } from "../cell-value.ts";
import { formatDecimal } from "../decimal-text.ts";
import { isYesNo, splitValues } from "../kinds/filter-value.tsx";
import { useRelatedNames } from "./use-related-names.ts";

/** A value of the wire as people write it. */
function toShown(field: FieldInfo, value: string, lang: Language): string {
  switch (field.control) {
    case "datetime":
      return formatDateTime(value, lang);
    case "date":
    case "partial-date":
      return formatPartialDate(value, lang);
    case "decimal":
      return formatDecimal(value, lang);
    default:
      return toChoiceLabel(field, value);
  }
}

/** A filter as people read it: `Issuer contains “ACME”`, `File is empty`, `Author is exactly “Ada”`. */
export function useFilterText(model: RecordSource, filter: QueryFilter): string {
  const { t, i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  const field = model.fields.find(({ name }) => name === filter.field);
  const relatedModel = field?.related_model ?? null;
  const ids =
    relatedModel === null || filter.operator === "isnull" ? [] : splitValues(filter.value).map(Number);
  const names = useRelatedNames(relatedModel, ids.filter(Number.isSafeInteger));
  const name = field?.verbose_name ?? filter.field;

  const toText = (value: string): string => {
    if (!field) return value;
    if (relatedModel !== null) return names.get(Number(value)) ?? `#${value}`;
    return toShown(field, value, lang);
  };
  const toValueText = (): string => {
    if (isYesNo(field, filter.operator)) return t(filter.value === "true" ? "cell.yes" : "cell.no");
    if (filter.operator === "in") return splitValues(filter.value).map(toText).join(", ");
    if (filter.operator !== "range") return toText(filter.value);
    const [from = "", to = ""] = filter.value.split(",");
    return t("list.rangeText", { from: toText(from), to: toText(to) });
  };

  if (filter.operator === "isnull") {
    return t(filter.value === "false" ? "list.isFilled" : "list.isEmpty", { field: name });
  }
  const operator = t(`operators.${filter.operator}`);
  return t("list.filterText", { field: name, operator, value: toValueText() });
}
