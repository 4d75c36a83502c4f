import { Input, Select } from "antd";
import { useTranslation } from "react-i18next";
import type { FieldInfo, FilterOperator, QueryFilter } from "#contract/content/models.ts";
import { toLanguage } from "#contract/languages.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { toChoiceLabel } from "./cell-value.ts";
import type { FilterProps } from "./kind.tsx";
import { KINDS, kindOf } from "./registry.ts";
import { splitValues, useRelatedNames } from "./related-select.tsx";

interface FilterValueProps {
  id: string;
  /** Undefined: one that the model has no more. */
  field: FieldInfo | undefined;
  operator: FilterOperator;
  /** As it travels: text; `in` and `range` are parted by commas. */
  value: string;
  onChange: (value: string) => void;
}

/** `isnull` and switches answer yes or no, whatever the field holds. */
export function isYesNo(field: FieldInfo | undefined, operator: FilterOperator): boolean {
  return operator === "isnull" || (field !== undefined && kindOf(field).isYesNo === true);
}

/** A filter as people read it: `Issuer contains “ACME”`, `File is empty`, `Author is exactly “Ada”`. */
export function useFilterText(source: RecordSource, filter: QueryFilter): string {
  const { t, i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  const field = source.fields.find(({ name }) => name === filter.field);
  const relatedModel = field?.related_model ?? null;
  const ids =
    relatedModel === null || filter.operator === "isnull" ? [] : splitValues(filter.value).map(Number);
  const names = useRelatedNames(relatedModel, ids.filter(Number.isSafeInteger));
  const name = field?.verbose_name ?? filter.field;

  const toText = (value: string): string => {
    if (!field) return value;
    if (relatedModel !== null) return names.get(Number(value)) ?? `#${value}`;
    return kindOf(field).toFilterText?.(value, lang) ?? toChoiceLabel(field, value);
  };
  const toValueText = (): string => {
    if (isYesNo(field, filter.operator)) return t(filter.value === "true" ? "cell.yes" : "cell.no");
    if (filter.operator === "in") return splitValues(filter.value).map(toText).join(", ");
    if (filter.operator !== "range") return toText(filter.value);
    const [from = "", to = ""] = filter.value.split(",");
    return t("list.rangeText", { from: toText(from), to: toText(to) });
  };

  if (filter.operator === "isnull") {
    return t(filter.value === "false" ? "list.isFilled" : "list.isEmpty", { field: name });
  }
  const operator = t(`operators.${filter.operator}`);
  return t("list.filterText", { field: name, operator, value: toValueText() });
}

function YesNo({ id, value, onChange }: Omit<FilterValueProps, "field" | "operator">) {
  const { t } = useTranslation();
  return (
    <Select
      id={id}
      value={value === "" ? "true" : value}
      options={["true", "false"].map((option) => ({
        value: option,
        label: t(option === "true" ? "cell.yes" : "cell.no"),
      }))}
      onChange={onChange}
    />
  );
}

function TextFilter({ id, isSeveral, value, onChange }: Omit<FilterProps, "field">) {
  const { t } = useTranslation();
  return (
    <Input
      id={id}
      required
      placeholder={isSeveral ? t("list.inHint") : ""}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

/** Choices and related rows are known by what the field says of them; a kind with a filter of its own needs neither. */
function findFilterKind(field: FieldInfo) {
  const kind = kindOf(field);
  if (kind.Filter) return kind;
  if (field.choices.length > 0) return KINDS.choice;
  return field.related_model === null ? kind : KINDS.relation;
}

function ValueInput({ field, ...props }: Omit<FilterProps, "field"> & { field: FieldInfo | undefined }) {
  const { Filter, filtersSeveral } = field ? findFilterKind(field) : {};
  if (!field || !Filter || (props.isSeveral && !filtersSeveral)) return <TextFilter {...props} />;
  return <Filter {...props} field={field} />;
}

/** Both ends of a range, parted by a comma on the wire. */
function RangeValue({ id, field, value, onChange }: Omit<FilterValueProps, "operator">) {
  const { t } = useTranslation();
  const [from = "", to = ""] = value.split(",");
  const shared = { field, isSeveral: false };
  return (
    <fieldset className="filter-range">
      <legend className="visually-hidden">{t("list.filterValue")}</legend>
      <label htmlFor={`${id}-from`}>{t("list.rangeFrom")}</label>
      <ValueInput {...shared} id={`${id}-from`} value={from} onChange={(next) => onChange(`${next},${to}`)} />
      <label htmlFor={`${id}-to`}>{t("list.rangeTo")}</label>
      <ValueInput {...shared} id={`${id}-to`} value={to} onChange={(next) => onChange(`${from},${next}`)} />
    </fieldset>
  );
}

/** The input of a filter's value, as its field and operator need it. */
export function FilterValue({ operator, ...props }: FilterValueProps) {
  if (isYesNo(props.field, operator)) return <YesNo {...props} />;
  if (operator === "range") return <RangeValue {...props} />;
  return <ValueInput {...props} isSeveral={operator === "in"} />;
}
