import { FilterOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

import type { QueryFilter } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { FilterChip } from "./filter-chip.tsx";
import { FilterForm } from "./filter-form.tsx";

interface FilterBarProps {
  model: RecordSource;
  filters: readonly QueryFilter[];
  onChange: (filters: readonly QueryFilter[]) => void;
}

/** The filter as a sentence that can be edited and removed, or the way to make one. */
export function FilterBar(props: FilterBarProps) {
  const [isEditing, setEditing] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const hasEdited = useRef(false);
  // The button that was pressed is gone after each step: the focus goes to what stands in its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again whenever the bar shows something else
  useEffect(() => {
    if (hasEdited.current && document.activeElement === document.body)
      bar.current?.querySelector("button")?.focus();
  }, [isEditing, props.filters]);
  return (
    <div ref={bar} className="filter-bar">
      <FilterBarBody
        {...props}
        isEditing={isEditing}
        setEditing={(next) => {
          hasEdited.current = true;
          setEditing(next);
        }}
      />
    </div>
  );
}

interface FilterBarBodyProps extends FilterBarProps {
  isEditing: boolean;
  setEditing: (isEditing: boolean) => void;
}

function FilterBarBody({ model, filters, onChange, isEditing, setEditing }: FilterBarBodyProps) {
  const { t } = useTranslation();
  const fields = model.fields.filter((field) => field.operators.length > 0);
  if (fields.length === 0) return null;

  if (isEditing) {
    return (
      <FilterForm
        model={model}
        fields={fields}
        start={filters[0]}
        onApply={(filter) => {
          setEditing(false);
          onChange([filter]);
        }}
        onCancel={() => setEditing(false)}
      />
    );
  }
  if (filters.length === 0) {
    return (
      <Button icon={<FilterOutlined {...DECORATIVE} />} onClick={() => setEditing(true)}>
        {t("list.filter")}
      </Button>
    );
  }
  return (
    <ul className="filter-chips" aria-label={t("list.filters")}>
      {filters.map((filter, index) => (
        <FilterChip
          key={`${filter.field}:${filter.operator}:${filter.value}`}
          model={model}
          filter={filter}
          onEdit={() => setEditing(true)}
          onRemove={() => {
            setEditing(false);
            onChange(filters.filter((_, other) => other !== index));
          }}
        />
      ))}
    </ul>
  );
}
