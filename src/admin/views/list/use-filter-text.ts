import { useTranslation } from "react-i18next";
import type { FieldInfo, ModelInfo } from "#contract/models.ts";
import type { QueryFilter } from "#providers/list-query.ts";

/** A filter as people read it: `Issuer contains “ACME”`, `File is empty`. */
export function useFilterText(model: ModelInfo): (filter: QueryFilter) => string {
  const { t } = useTranslation();
  return (filter) => {
    const field: FieldInfo | undefined = model.fields.find(({ name }) => name === filter.field);
    const name = field?.verbose_name ?? filter.field;
    if (filter.operator === "isnull") {
      return t(filter.value === "false" ? "list.isFilled" : "list.isEmpty", { field: name });
    }
    const isToggle = field?.control === "switch";
    const value = isToggle ? t(filter.value === "true" ? "cell.yes" : "cell.no") : filter.value;
    return t("list.filterText", { field: name, operator: t(`operators.${filter.operator}`), value });
  };
}
