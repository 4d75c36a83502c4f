import { Select } from "antd";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { QuerySort } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toCurrentSorts } from "../views/list/sorts.ts";

/** Specification B section 2, bulk operations page. */
const SORT_FIELDS = ["id", "created_at", "updated_at"];
const BY_ID: QuerySort = { field: "id", direction: "asc" };

interface BulkSortProps {
  model: RecordSource;
  sorts: readonly QuerySort[];
  onChange: (sorts: readonly QuerySort[]) => void;
}

/** The order of the objects. One that the list or the model brought along is offered beside the documented ones. */
export function BulkSort({ model, sorts, onChange }: BulkSortProps) {
  const { t } = useTranslation();
  const id = useId();
  const current = toCurrentSorts(model, sorts)[0] ?? BY_ID;
  const byName = new Map(model.fields.map((field) => [field.name, field]));
  const offered = SORT_FIELDS.filter((name) => name === "id" || byName.get(name)?.sortable);
  const names = offered.includes(current.field) ? offered : [current.field, ...offered];
  return (
    <span className="sort-select">
      <label htmlFor={`${id}-field`}>{t("bulk.sortBy")}</label>
      <Select
        id={`${id}-field`}
        className="sort-field"
        popupMatchSelectWidth={false}
        value={current.field}
        options={names.map((name) => ({ value: name, label: byName.get(name)?.verbose_name ?? "ID" }))}
        onChange={(field) => onChange([{ field, direction: current.direction }])}
      />
      <Select
        aria-label={t("bulk.order")}
        popupMatchSelectWidth={false}
        value={current.direction}
        options={[
          { value: "asc", label: t("bulk.ascending") },
          { value: "desc", label: t("bulk.descending") },
        ]}
        onChange={(direction) => onChange([{ field: current.field, direction }])}
      />
    </span>
  );
}
