import { CloseOutlined, FilterOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";

import type { QueryFilter } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { useFilterText } from "./use-filter-text.ts";

interface FilterChipProps {
  model: RecordSource;
  filter: QueryFilter;
  isEdited: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

/** One filter as a sentence, which opens it, and the way to remove it. */
export function FilterChip({ model, filter, isEdited, onEdit, onRemove }: FilterChipProps) {
  const { t } = useTranslation();
  const text = useFilterText(model, filter);
  return (
    <li className="filter-chip">
      <button type="button" title={t("list.changeFilter")} aria-expanded={isEdited} onClick={onEdit}>
        <FilterOutlined {...DECORATIVE} /> {text}
      </button>
      <button type="button" aria-label={t("list.removeFilter", { filter: text })} onClick={onRemove}>
        <CloseOutlined {...DECORATIVE} />
      </button>
    </li>
  );
}
