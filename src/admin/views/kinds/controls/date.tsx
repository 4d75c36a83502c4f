import { Input } from "antd";
import { useTranslation } from "react-i18next";
import { formatPartialDate, PARTIAL_DATE } from "#contract/partial-date.ts";
import { toLocalTime, toMoment } from "../../../ui/days.ts";
import { formatDateTime, textCell } from "../cell-value.ts";
import { type ControlProps, FieldItem, type FieldKind, type FilterProps, type Kinds } from "../kind.tsx";
import { TextInput, textValue } from "../text-input.tsx";

// Days and moments are the browser's own inputs: antd's DatePicker was built in their place and is 29 kB of brotli more for every
// list and form (their chunk of kinds is 23 kB), and phones have pickers of their own.

/** Keeps the input at years of four digits, as they travel. */
const LAST_DAY = "9999-12-31";

function DateControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <TextInput className="short-input" type="date" max={LAST_DAY} />
    </FieldItem>
  );
}

function DateFilter({ id, value, onChange }: FilterProps) {
  return (
    <Input id={id} required type="date" value={value} onChange={({ target }) => onChange(target.value)} />
  );
}

/** How days show, and moments as far as they don't say otherwise. */
const day: Pick<FieldKind, "toInput" | "toWire" | "toCell" | "toFilterText" | "cellClass"> = {
  ...textValue,
  toCell: (value, _field, lang) =>
    typeof value === "string" ? textCell(formatPartialDate(value, lang)) : undefined,
  toFilterText: formatPartialDate,
  cellClass: "fixed-cell",
};

const date: FieldKind = { types: ["DateField"], ...day, Control: DateControl, Filter: DateFilter };

function DateTimeControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <TextInput className="short-input" type="datetime-local" step={1} />
    </FieldItem>
  );
}

function DateTimeFilter({ id, value, onChange }: FilterProps) {
  return (
    <Input
      id={id}
      required
      type="datetime-local"
      step={1}
      value={toLocalTime(value)}
      onChange={({ target }) => onChange(toMoment(target.value))}
    />
  );
}

const datetime: FieldKind = {
  types: ["DateTimeField"],
  Control: DateTimeControl,
  toInput: toLocalTime,
  toWire: (input) => toMoment(String(input ?? "")) || null,
  toCell: (value, _field, lang) =>
    typeof value === "string" ? textCell(formatDateTime(value, lang)) : undefined,
  cellClass: "fixed-cell",
  Filter: DateTimeFilter,
  toFilterText: formatDateTime,
};

function PartialDateControl({ field }: ControlProps) {
  const { t } = useTranslation();
  return (
    <FieldItem field={field} rules={[{ pattern: PARTIAL_DATE, message: t("form.partialDate") }]}>
      <TextInput className="short-input" inputMode="numeric" placeholder={t("form.partialDateHint")} />
    </FieldItem>
  );
}

const partialDate: FieldKind = { types: ["PartialDateField"], ...day, Control: PartialDateControl };

export const kinds: Kinds = { date, datetime, "partial-date": partialDate };
