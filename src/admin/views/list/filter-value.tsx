import { Input, Select } from "antd";
import { useTranslation } from "react-i18next";
import type { FieldInfo } from "#contract/models.ts";
import { DecimalInput } from "../form/controls/decimal.tsx";
import { ChoiceSelect } from "../kinds/choice.tsx";
import { type FilterValueProps, isYesNo, splitValues } from "../kinds/filter-value.tsx";
import { toLocalTime, toMoment } from "../local-time.ts";
import { RelatedFilter } from "./related-filter.tsx";

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
