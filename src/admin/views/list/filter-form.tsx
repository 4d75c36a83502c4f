import { Button, Input, Select } from "antd";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo, FilterOperator, ModelInfo } from "#contract/models.ts";
import type { QueryFilter } from "#providers/list-query.ts";

interface FilterFormProps {
  model: ModelInfo;
  /** Fields that can be filtered; at least one. */
  fields: readonly FieldInfo[];
  start: QueryFilter | undefined;
  onApply: (filter: QueryFilter) => void;
  onCancel: () => void;
}

function firstOperator(field: FieldInfo | undefined): FilterOperator {
  return field?.operators[0] ?? "exact";
}

/** Which input a value needs: `isnull` and switches answer yes or no, everything else is text. */
function isYesNo(field: FieldInfo | undefined, operator: FilterOperator): boolean {
  return operator === "isnull" || field?.control === "switch";
}

const HTML_TYPES: Partial<Record<FieldInfo["control"], string>> = { datetime: "datetime-local" };

function toInputType(field: FieldInfo | undefined, operator: FilterOperator): string {
  return operator === "in" ? "text" : (HTML_TYPES[field?.control ?? "text"] ?? "text");
}

/** Field, operator, value. Each field offers the operators that the server named for it. */
export function FilterForm({ model, fields, start, onApply, onCancel }: FilterFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const [filter, setFilter] = useState<QueryFilter>(() => {
    const field =
      fields.find(({ name }) => name === start?.field) ??
      fields.find(({ name }) => model.list_columns.includes(name)) ??
      fields[0];
    return start && field?.name === start.field
      ? start
      : { field: field?.name ?? "", operator: firstOperator(field), value: "" };
  });
  const field = fields.find(({ name }) => name === filter.field);
  const isToggle = isYesNo(field, filter.operator);

  function onFieldChange(name: string): void {
    const next = fields.find((candidate) => candidate.name === name);
    const keepsOperator = next?.operators.includes(filter.operator) ?? false;
    setFilter({ field: name, operator: keepsOperator ? filter.operator : firstOperator(next), value: "" });
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    onApply(isToggle && filter.value === "" ? { ...filter, value: "true" } : filter);
  }

  return (
    <form className="filter-form" aria-label={t("list.filter")} onSubmit={onSubmit}>
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
        onChange={(operator) =>
          setFilter({ ...filter, operator, value: operator === "isnull" || isToggle ? "" : filter.value })
        }
      />
      <label htmlFor={`${id}-value`}>{t("list.filterValue")}</label>
      {isToggle ? (
        <Select
          id={`${id}-value`}
          value={filter.value === "" ? "true" : filter.value}
          options={["true", "false"].map((value) => ({
            value,
            label: t(value === "true" ? "cell.yes" : "cell.no"),
          }))}
          onChange={(value) => setFilter({ ...filter, value })}
        />
      ) : (
        <Input
          id={`${id}-value`}
          type={toInputType(field, filter.operator)}
          required
          placeholder={filter.operator === "in" ? t("list.inHint") : ""}
          value={filter.value}
          onChange={(event) => setFilter({ ...filter, value: event.target.value })}
        />
      )}
      <div className="filter-form-actions">
        <Button type="primary" htmlType="submit">
          {t("actions.apply")}
        </Button>
        <Button onClick={onCancel}>{t("actions.cancel")}</Button>
      </div>
    </form>
  );
}
