import { useTranslation } from "react-i18next";
import { PARTIAL_DATE } from "#contract/partial-date.ts";
import { toLocalTime, toMoment } from "./cell-value.ts";
import { type ControlDefinition, type ControlProps, FieldItem } from "./control.tsx";
import { textValue } from "./text.tsx";
import { TextInput } from "./text-input.tsx";

/** Keeps the input at years of four digits, as they travel. */
const LAST_DAY = "9999-12-31";

function DateControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <TextInput className="short-input" type="date" max={LAST_DAY} />
    </FieldItem>
  );
}

export const date: ControlDefinition = { Control: DateControl, ...textValue };
function DateTimeControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <TextInput className="short-input" type="datetime-local" step={1} />
    </FieldItem>
  );
}

export const datetime: ControlDefinition = {
  Control: DateTimeControl,
  toInput: toLocalTime,
  toWire: (input) => toMoment(String(input ?? "")) || null,
};

function PartialDateControl({ field }: ControlProps) {
  const { t } = useTranslation();
  return (
    <FieldItem field={field} rules={[{ pattern: PARTIAL_DATE, message: t("form.partialDate") }]}>
      <TextInput className="short-input" inputMode="numeric" placeholder={t("form.partialDateHint")} />
    </FieldItem>
  );
}

export const partialDate: ControlDefinition = { Control: PartialDateControl, ...textValue };
