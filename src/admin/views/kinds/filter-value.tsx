import { useList } from "@refinedev/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Input, Select } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo, FilterOperator, ModelRecord, QueryFilter } from "#contract/content/models.ts";
import { type Language, toLanguage } from "#contract/languages.ts";
import { toCrudFilter } from "#providers/refine/data.ts";
import { objectsResource, type RecordSource } from "#resources/record-source.ts";
import {
  formatDateTime,
  formatDecimal,
  formatPartialDate,
  toChoiceLabel,
  toLocalTime,
  toMoment,
} from "./cell-value.ts";
import { ChoiceSelect } from "./choice.tsx";
import { DecimalInput } from "./number.tsx";
import { RelatedSelect } from "./related-select.tsx";

interface FilterValueProps {
  id: string;
  field: FieldInfo | undefined;
  operator: FilterOperator;
  /** As it travels: text; `in` and `range` are parted by commas. */
  value: string;
  onChange: (value: string) => void;
}

/** `isnull` and switches answer yes or no, whatever the field holds. */
export function isYesNo(field: FieldInfo | undefined, operator: FilterOperator): boolean {
  return operator === "isnull" || field?.control === "switch";
}

/** The parts of a value of `in`. */
function splitValues(value: string): string[] {
  return value.split(",").filter((part) => part !== "");
}

/** Filters name at most so many related rows; the rest keep their numbers. */
const NAMES_MAX = 100;

/** What people call some rows of a model, by id: an address holds the ids alone. What can't be told is absent. */
function useRelatedNames(relatedModel: number | null, ids: readonly number[]): ReadonlyMap<number, string> {
  const asked = ids.slice(0, NAMES_MAX);
  const { result } = useList<ModelRecord>({
    resource: objectsResource(relatedModel ?? 0),
    pagination: { currentPage: 1, pageSize: NAMES_MAX },
    filters: [toCrudFilter({ field: "id", operator: "in", value: asked.join(",") })],
    queryOptions: { enabled: relatedModel !== null && asked.length > 0, placeholderData: keepPreviousData },
    errorNotification: false,
  });
  return useMemo(() => new Map(result.data.map(({ id, repr }) => [id, repr])), [result.data]);
}

/** A value of the wire as people write it. */
function toShown(field: FieldInfo, value: string, lang: Language): string {
  switch (field.control) {
    case "datetime":
      return formatDateTime(value, lang);
    case "date":
    case "partial-date":
      return formatPartialDate(value, lang);
    case "decimal":
      return formatDecimal(value, lang);
    default:
      return toChoiceLabel(field, value);
  }
}

/** A filter as people read it: `Issuer contains “ACME”`, `File is empty`, `Author is exactly “Ada”`. */
export function useFilterText(model: RecordSource, filter: QueryFilter): string {
  const { t, i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  const field = model.fields.find(({ name }) => name === filter.field);
  const relatedModel = field?.related_model ?? null;
  const ids =
    relatedModel === null || filter.operator === "isnull" ? [] : splitValues(filter.value).map(Number);
  const names = useRelatedNames(relatedModel, ids.filter(Number.isSafeInteger));
  const name = field?.verbose_name ?? filter.field;

  const toText = (value: string): string => {
    if (!field) return value;
    if (relatedModel !== null) return names.get(Number(value)) ?? `#${value}`;
    return toShown(field, value, lang);
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

/** Related rows by their names; their ids travel. */
function RelatedFilter({
  id,
  operator,
  value,
  onChange,
  relatedModel,
}: FilterValueProps & { relatedModel: number }) {
  const ids = splitValues(value).map(Number).filter(Number.isSafeInteger);
  const names = useRelatedNames(relatedModel, ids);
  return (
    <RelatedSelect
      id={id}
      className="filter-related"
      relatedModel={relatedModel}
      isMultiple={operator === "in"}
      value={ids.map((row) => ({ id: row, repr: names.get(row) ?? `#${row}` }))}
      onChange={(rows) => onChange(rows.map((row) => row.id).join(","))}
    />
  );
}

function YesNo({ id, value, onChange }: FilterValueProps) {
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

function ChoiceValue({ id, field, operator, value, onChange }: FilterValueProps & { field: FieldInfo }) {
  if (operator === "in") {
    const several = splitValues(value);
    return (
      <ChoiceSelect
        id={id}
        field={field}
        mode="multiple"
        value={several}
        onChange={(next) => onChange([next ?? []].flat().join(","))}
      />
    );
  }
  return (
    <ChoiceSelect
      id={id}
      field={field}
      value={value || null}
      onChange={(next) => onChange(String(next ?? ""))}
    />
  );
}

/** One value that is typed: days and moments by the browser's own inputs. */
function TypedValue({ id, field, operator, value, onChange }: FilterValueProps) {
  const { t } = useTranslation();
  const isList = operator === "in";
  const plain = { id, required: true };
  switch (isList ? "text" : field?.control) {
    case "decimal":
      return <DecimalInput {...plain} value={value} onChange={onChange} />;
    case "date":
      return <Input {...plain} type="date" value={value} onChange={({ target }) => onChange(target.value)} />;
    case "datetime":
      return (
        <Input
          {...plain}
          type="datetime-local"
          step={1}
          value={toLocalTime(value)}
          onChange={({ target }) => onChange(toMoment(target.value))}
        />
      );
    default:
      return (
        <Input
          {...plain}
          placeholder={isList ? t("list.inHint") : ""}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      );
  }
}

/** Both ends of a range, parted by a comma on the wire. */
function RangeValue({ id, value, onChange, ...rest }: FilterValueProps) {
  const { t } = useTranslation();
  const [from = "", to = ""] = value.split(",");
  return (
    <fieldset className="filter-range">
      <legend className="visually-hidden">{t("list.filterValue")}</legend>
      <label htmlFor={`${id}-from`}>{t("list.rangeFrom")}</label>
      <TypedValue {...rest} id={`${id}-from`} value={from} onChange={(next) => onChange(`${next},${to}`)} />
      <label htmlFor={`${id}-to`}>{t("list.rangeTo")}</label>
      <TypedValue {...rest} id={`${id}-to`} value={to} onChange={(next) => onChange(`${from},${next}`)} />
    </fieldset>
  );
}

/** The input of a filter's value, as its field and operator need it. */
export function FilterValue(props: FilterValueProps) {
  const { field, operator } = props;
  if (isYesNo(field, operator)) return <YesNo {...props} />;
  if (operator === "range") return <RangeValue {...props} />;
  if (field && field.choices.length > 0) return <ChoiceValue {...props} field={field} />;
  if (field?.related_model != null) return <RelatedFilter {...props} relatedModel={field.related_model} />;
  return <TypedValue {...props} />;
}
