import { ClearOutlined, FilterOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import type { QueryFilter } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { FilterChip } from "./filter-chip.tsx";
import { FilterForm } from "./filter-form.tsx";
import { isSameFilter, withoutQuick } from "./quick-filters.ts";

interface FilterBarProps {
  model: RecordSource;
  filters: readonly QueryFilter[];
  onChange: (filters: readonly QueryFilter[]) => void;
}

/** What is being edited: no filter, a new one, or the chip at this place. */
type Editing = "nothing" | "new" | number;

/** The filters as sentences that can be edited and removed one by one, and the way to add another. */
export function FilterBar({ model, filters, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  const hasEdited = useRef(false);
  const [editing, setEditing] = useState<Editing>("nothing");
  const fields = model.fields.filter((field) => field.operators.length > 0);
  const chips = withoutQuick(model.quickFilters, filters);

  // The button that was pressed is gone after each step: the focus goes to what stands in its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again whenever the bar shows something else
  useEffect(() => {
    if (hasEdited.current && document.activeElement === document.body)
      bar.current?.querySelector("button")?.focus();
  }, [editing, filters]);

  function edit(next: Editing): void {
    hasEdited.current = true;
    setEditing(next);
  }
  function apply(filter: QueryFilter): void {
    const before = typeof editing === "number" ? chips[editing] : undefined;
    edit("nothing");
    const others = filters.filter((each) => each === before || !isSameFilter(each, filter));
    onChange(before ? others.map((each) => (each === before ? filter : each)) : [...others, filter]);
  }
  function removeAll(next: readonly QueryFilter[]): void {
    edit("nothing");
    onChange(next);
  }

  if (fields.length === 0 && filters.length === 0) return null;
  const isFull = filters.length >= ADMIN_LIMITS.filtersMax;
  return (
    <div ref={bar} className="filter-bar">
      {chips.length > 0 && (
        <ul className="filter-chips" aria-label={t("list.filters")}>
          {chips.map((filter, index) => (
            <FilterChip
              key={`${filter.field}:${filter.operator}:${filter.value}`}
              model={model}
              filter={filter}
              isEdited={editing === index}
              onEdit={() => edit(index)}
              onRemove={() => removeAll(filters.filter((each) => each !== filter))}
            />
          ))}
        </ul>
      )}
      {editing === "nothing" && fields.length > 0 && (
        <Button icon={<FilterOutlined {...DECORATIVE} />} disabled={isFull} onClick={() => edit("new")}>
          {t(chips.length === 0 ? "list.filter" : "list.addFilter")}
        </Button>
      )}
      {filters.length > 0 && (
        <Button type="text" icon={<ClearOutlined {...DECORATIVE} />} onClick={() => removeAll([])}>
          {t("list.clearFilters")}
        </Button>
      )}
      {isFull && <p className="filter-note">{t("list.filtersMax", { count: ADMIN_LIMITS.filtersMax })}</p>}
      {editing !== "nothing" && (
        <FilterForm
          key={editing}
          model={model}
          fields={fields}
          start={typeof editing === "number" ? chips[editing] : undefined}
          onApply={apply}
          onCancel={() => edit("nothing")}
        />
      )}
    </div>
  );
}
