import { CloseOutlined } from "@ant-design/icons";
import { Button, Select } from "antd";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo, FilterOperator, QueryFilter } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../../parts/decorative.ts";
import { FilterValue } from "../filter-value.tsx";

interface ConditionInputsProps {
  /** Fields that can be filtered; at least one. */
  fields: readonly FieldInfo[];
  filter: QueryFilter;
  /** A value was needed and is missing. */
  isMissing: boolean;
  onChange: (filter: QueryFilter) => void;
  /** Undefined: it is the only one. */
  onRemove: (() => void) | undefined;
}

function firstOperator(field: FieldInfo | undefined): FilterOperator {
  return field?.operators[0] ?? "exact";
}

/** A condition that says nothing yet, on the field that is most likely meant. */
export function toNewFilter(model: RecordSource, fields: readonly FieldInfo[]): QueryFilter {
  const field = fields.find(({ name }) => model.list_columns.includes(name)) ?? fields[0];
  return { field: field?.name ?? "", operator: firstOperator(field), value: "" };
}

/** Operators whose value is written in a way of its own. */
const OWN_SHAPES: readonly FilterOperator[] = ["isnull", "in", "range"];

/** Whether a value that was typed for one operator says something for another one. */
function hasSameShape(before: FilterOperator, after: FilterOperator): boolean {
  return before === after || !(OWN_SHAPES.includes(before) || OWN_SHAPES.includes(after));
}

/** Field, operator, value. Each field offers the operators that the server named for it. */
export function ConditionInputs({ fields, filter, isMissing, onChange, onRemove }: ConditionInputsProps) {
  const { t } = useTranslation();
  const id = useId();
  const field = fields.find(({ name }) => name === filter.field);

  function onFieldChange(name: string): void {
    const next = fields.find((candidate) => candidate.name === name);
    const keepsOperator = next?.operators.includes(filter.operator) ?? false;
    onChange({ field: name, operator: keepsOperator ? filter.operator : firstOperator(next), value: "" });
  }
  function onOperatorChange(operator: FilterOperator): void {
    onChange({ ...filter, operator, value: hasSameShape(filter.operator, operator) ? filter.value : "" });
  }

  return (
    <div className="filter-condition">
      <label htmlFor={`${id}-field`}>{t("list.filterField")}</label>
      <Select
        id={`${id}-field`}
        autoFocus
        showSearch
        optionFilterProp="label"
        popupMatchSelectWidth={false}
        value={filter.field}
        options={fields.map(({ name, verbose_name }) => ({ value: name, label: verbose_name }))}
        onChange={onFieldChange}
      />
      <label htmlFor={`${id}-operator`}>{t("list.filterOperator")}</label>
      <Select
        id={`${id}-operator`}
        popupMatchSelectWidth={false}
        value={filter.operator}
        options={(field?.operators ?? []).map((name) => ({ value: name, label: t(`operators.${name}`) }))}
        onChange={onOperatorChange}
      />
      {filter.operator !== "range" && <label htmlFor={`${id}-value`}>{t("list.filterValue")}</label>}
      <FilterValue
        id={`${id}-value`}
        field={field}
        operator={filter.operator}
        value={filter.value}
        onChange={(value) => onChange({ ...filter, value })}
      />
      {onRemove && (
        <Button
          type="text"
          icon={<CloseOutlined {...DECORATIVE} />}
          aria-label={t("list.removeCondition", { field: field?.verbose_name ?? filter.field })}
          onClick={onRemove}
        />
      )}
      {isMissing && (
        <p className="control-error" role="alert">
          {t("list.chooseAtLeastOne")}
        </p>
      )}
    </div>
  );
}
