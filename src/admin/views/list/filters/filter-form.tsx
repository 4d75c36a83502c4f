import { CloseOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, Select } from "antd";
import { type FormEvent, Fragment, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo, FilterOperator, QueryFilter } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../../ui/accessibility.ts";
import { FilterValue, isYesNo } from "../../kinds/filter-value.tsx";
import type { FilterGroup } from "../../state/list-view.ts";

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
function toNewFilter(source: RecordSource, fields: readonly FieldInfo[]): QueryFilter {
  const field = fields.find(({ name }) => source.list_columns.includes(name)) ?? fields[0];
  return { field: field?.name ?? "", operator: firstOperator(field), value: "" };
}

/** Operators whose value is written in a way of its own. */
const OWN_SHAPES: readonly FilterOperator[] = ["isnull", "in", "range"];

/** Whether a value that was typed for one operator says something for another one. */
function hasSameShape(before: FilterOperator, after: FilterOperator): boolean {
  return before === after || !(OWN_SHAPES.includes(before) || OWN_SHAPES.includes(after));
}

/** Field, operator, value. Each field offers the operators that the server named for it. */
function ConditionInputs({ fields, filter, isMissing, onChange, onRemove }: ConditionInputsProps) {
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

interface FilterFormProps {
  source: RecordSource;
  /** Fields that can be filtered; at least one. */
  fields: readonly FieldInfo[];
  /** None: a new filter. */
  start: FilterGroup;
  /** So many conditions may it have. */
  max: number;
  onApply: (group: FilterGroup) => void;
  onCancel: () => void;
}

/** What is typed. Rows keep their identity while others come and go. */
interface Typed {
  alternatives: readonly (readonly (QueryFilter & { key: number })[])[];
  /** Of the next condition. */
  nextKey: number;
}

function toTyped(group: FilterGroup): Typed {
  let nextKey = 0;
  const alternatives = group.map((filters) => filters.map((filter) => ({ ...filter, key: nextKey++ })));
  return { alternatives, nextKey };
}

const withoutKey = ({ field, operator, value }: QueryFilter): QueryFilter => ({ field, operator, value });

/** State of the form: alternatives, each of conditions. */
function useAlternatives(source: RecordSource, fields: readonly FieldInfo[], start: FilterGroup) {
  const [typed, setTyped] = useState(() =>
    toTyped(start.length > 0 ? start : [[toNewFilter(source, fields)]]),
  );
  const { alternatives, nextKey } = typed;
  const set = (next: Typed["alternatives"]) => setTyped({ alternatives: next, nextKey: nextKey + 1 });
  const fresh = () => ({ ...toNewFilter(source, fields), key: nextKey });
  return {
    alternatives,
    addAlternative: () => set([...alternatives, [fresh()]]),
    addCondition: (at: number) =>
      set(alternatives.map((filters, index) => (index === at ? [...filters, fresh()] : filters))),
    change: (key: number, filter: QueryFilter) =>
      set(
        alternatives.map((filters) => filters.map((each) => (each.key === key ? { ...filter, key } : each))),
      ),
    remove: (key: number) =>
      set(
        alternatives
          .map((filters) => filters.filter((each) => each.key !== key))
          .filter((filters) => filters.length > 0),
      ),
  };
}

/** One condition, or alternatives of them: what one chip says. */
export function FilterForm({ source, fields, start, max, onApply, onCancel }: FilterFormProps) {
  const { t } = useTranslation();
  const { alternatives, ...edit } = useAlternatives(source, fields, start);
  const [isTried, setTried] = useState(false);
  const count = alternatives.flat().length;
  const isFull = count >= max;
  const hasAlternatives = alternatives.length > 1;

  /** A switch that nobody touched says yes. */
  function complete(filter: QueryFilter): QueryFilter {
    const field = fields.find(({ name }) => name === filter.field);
    const value = isYesNo(field, filter.operator) ? filter.value || "true" : filter.value;
    return { ...withoutKey(filter), value };
  }
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    const group = alternatives.map((filters) => filters.map(complete));
    // A select has no `required` of its own.
    setTried(true);
    if (group.flat().every(({ value }) => value !== "")) onApply(group);
  }

  return (
    <form
      className={count > 1 ? "filter-form is-group" : "filter-form"}
      aria-label={t("list.filter")}
      onSubmit={onSubmit}
    >
      {alternatives.map((filters, at) => (
        <Fragment key={filters[0]?.key}>
          {at > 0 && <p className="filter-or">{t("list.or")}</p>}
          <fieldset className="filter-alternative">
            <legend className="visually-hidden">{t("list.alternative", { place: at + 1 })}</legend>
            {filters.map((filter) => (
              <ConditionInputs
                key={filter.key}
                fields={fields}
                filter={filter}
                isMissing={isTried && complete(filter).value === ""}
                onChange={(next) => edit.change(filter.key, next)}
                onRemove={count > 1 ? () => edit.remove(filter.key) : undefined}
              />
            ))}
            {hasAlternatives && (
              <Button
                type="text"
                size="small"
                className="filter-and"
                icon={<PlusOutlined {...DECORATIVE} />}
                disabled={isFull}
                onClick={() => edit.addCondition(at)}
              >
                {t("list.addAnd")}
              </Button>
            )}
          </fieldset>
        </Fragment>
      ))}
      <div className="filter-form-actions">
        <Button type="primary" htmlType="submit">
          {t("actions.apply")}
        </Button>
        <Button onClick={onCancel}>{t("actions.cancel")}</Button>
        <Button
          type="text"
          icon={<PlusOutlined {...DECORATIVE} />}
          disabled={isFull}
          onClick={edit.addAlternative}
        >
          {t("list.addOr")}
        </Button>
      </div>
    </form>
  );
}
