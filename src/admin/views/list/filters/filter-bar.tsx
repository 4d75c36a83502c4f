import { ClearOutlined, FilterOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { QueryFilter } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../../ui/accessibility.ts";
import {
  countFilters,
  type FilterGroup,
  isNarrowed,
  type ListView,
  toUsualScope,
} from "../../state/list-view.ts";
import { type Chip, FilterChip, putChip, removeChip, toChips } from "./filter-chips.tsx";
import { FilterForm } from "./filter-form.tsx";

type Filtered = Pick<ListView, "filters" | "groups">;

interface FilterBarProps {
  source: RecordSource;
  view: Filtered;
  /** Filters that another control shows already. */
  isShown?: ((filter: QueryFilter) => boolean) | undefined;
  onChange: (next: Filtered) => void;
}

/** What is being edited: no filter, a new one, or the chip at this place. */
type Editing = "nothing" | "new" | number;

interface ChipListProps {
  source: RecordSource;
  chips: readonly Chip[];
  editing: Editing;
  onEdit: (at: number) => void;
  onRemove: (chip: Chip) => void;
}

function ChipList({ source, chips, editing, onEdit, onRemove }: ChipListProps) {
  const { t } = useTranslation();
  if (chips.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label={t("list.filters")}>
      {chips.map((chip, index) => (
        <FilterChip
          key={chip.key}
          source={source}
          group={chip.group}
          isEdited={editing === index}
          onEdit={() => onEdit(index)}
          onRemove={() => onRemove(chip)}
        />
      ))}
    </ul>
  );
}

/** The filters as sentences that can be edited and removed one by one, and the way to add another. */
export function FilterBar({ source, view, isShown, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  const hasEdited = useRef(false);
  const [editing, setEditing] = useState<Editing>("nothing");
  const fields = source.fields.filter((field) => field.operators.length > 0);
  const chips = toChips(source.quickFilters, view, isShown);
  const edited = typeof editing === "number" ? chips[editing] : undefined;
  const count = countFilters(view);
  const usual = toUsualScope(source);
  const isChanged = isNarrowed({ search: "", filters: view.filters, groups: view.groups }, source);

  // The button that was pressed is gone after each step: the focus goes to what stands in its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again whenever the bar shows something else
  useEffect(() => {
    if (hasEdited.current && document.activeElement === document.body)
      bar.current?.querySelector("button")?.focus();
  }, [editing, view.filters, view.groups]);

  function edit(next: Editing): void {
    hasEdited.current = true;
    setEditing(next);
  }
  function change(next: Filtered): void {
    edit("nothing");
    onChange(next);
  }

  if (fields.length === 0 && count === 0 && !isChanged) return null;
  const isFull = count >= ADMIN_LIMITS.filtersMax;
  const room = ADMIN_LIMITS.filtersMax - count + (edited?.group.flat().length ?? 0);
  return (
    <div ref={bar} className="filter-bar">
      <ChipList
        source={source}
        chips={chips}
        editing={editing}
        onEdit={edit}
        onRemove={(chip) => change(removeChip(view, chip))}
      />
      {editing === "nothing" && fields.length > 0 && (
        <Button icon={<FilterOutlined {...DECORATIVE} />} disabled={isFull} onClick={() => edit("new")}>
          {t(chips.length === 0 ? "list.filter" : "list.addFilter")}
        </Button>
      )}
      {isChanged && (
        <Button
          type="text"
          icon={<ClearOutlined {...DECORATIVE} />}
          onClick={() => change({ filters: usual.filters, groups: [] })}
        >
          {t(source.defaultFilters ? "list.resetFilters" : "list.clearFilters")}
        </Button>
      )}
      {isFull && <p className="filter-note">{t("list.filtersMax", { count: ADMIN_LIMITS.filtersMax })}</p>}
      {editing !== "nothing" && (
        <FilterForm
          key={editing}
          source={source}
          fields={fields}
          start={edited?.group ?? []}
          max={room}
          onApply={(group: FilterGroup) => change(putChip(view, edited, group))}
          onCancel={() => edit("nothing")}
        />
      )}
    </div>
  );
}
