import { CloseOutlined, FilterOutlined } from "@ant-design/icons";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import type { FilterGroup } from "../state/list-view.ts";
import { GroupText } from "./group-text.tsx";

interface FilterChipProps {
  model: RecordSource;
  /** One filter is a group of one. */
  group: FilterGroup;
  isEdited: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

/** A filter or a group of them as a sentence, which opens it, and the way to remove it. */
export function FilterChip({ model, group, isEdited, onEdit, onRemove }: FilterChipProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <li className="filter-chip">
      <button type="button" title={t("list.changeFilter")} aria-expanded={isEdited} onClick={onEdit}>
        <FilterOutlined {...DECORATIVE} />{" "}
        <span id={`${id}-text`}>
          <GroupText model={model} group={group} />
        </span>
      </button>
      <button type="button" aria-labelledby={`${id}-remove ${id}-text`} onClick={onRemove}>
        <CloseOutlined {...DECORATIVE} />
        <span id={`${id}-remove`} hidden>
          {t("list.removeFilter")}
        </span>
      </button>
    </li>
  );
}
