import { useTranslation } from "react-i18next";
import type { FieldInfo } from "#contract/content/models.ts";
import { toLanguage } from "#contract/languages.ts";
import { decimalSeparator, formatDecimal, textCell } from "../cell-value.ts";
import { type ControlProps, FieldItem, type FieldKind, type FilterProps, type Kinds } from "../kind.tsx";
import { TextInput } from "../text-input.tsx";

const INTEGER = /^\s*[+-]?\d+\s*$/;

/** Whether a text is a whole number that travels without losing a digit. */
function isInteger(text: string): boolean {
  return INTEGER.test(text) && Number.isSafeInteger(Number(text));
}

/**
 * A whole number as text: what is no number stays to be mended, where antd's own input rounds it or takes it away once it is
 * left.
 */
function IntegerControl({ field }: ControlProps) {
  const { t } = useTranslation();
  const rule = {
    validator: async (_rule: unknown, text: string) => {
      if (text !== "" && !isInteger(text)) throw new Error(t("form.integer"));
    },
  };
  return (
    <FieldItem field={field} rules={[rule]}>
      <TextInput className="short-input" inputMode="numeric" />
    </FieldItem>
  );
}

const integer: FieldKind = {
  types: ["IntegerField", "BigIntegerField"],
  Control: IntegerControl,
  toInput: (value) => (typeof value === "number" ? String(value) : ""),
  toWire: (input) => (typeof input === "string" && input.trim() !== "" ? Number(input) : null),
  cellClass: "number-cell",
};

interface DecimalInputProps {
  id?: string;
  /** As it travels: digits with a point. */
  value?: string;
  onChange?: (value: string) => void;
  required?: boolean;
}

/**
 * A number as text, so that no digit is lost. It shows the decimal sign of the reader's language, and takes comma and point
 * alike: what was typed turns into that sign when typing pauses, so that nobody takes a grouping for it unseen.
 */
function DecimalInput({ value = "", onChange, ...rest }: DecimalInputProps) {
  const { i18n } = useTranslation();
  const separator = decimalSeparator(toLanguage(i18n.language));
  return (
    <TextInput
      {...rest}
      className="short-input"
      inputMode="decimal"
      value={value.replaceAll(".", separator)}
      onChange={(text) => onChange?.(text.replaceAll(",", ".").trim())}
    />
  );
}

const DECIMAL = /^-?(\d+)(?:\.(\d+))?$/;

/** What is wrong with a typed number: no number at all, or more digits than its column has. */
export function findDecimalFault(text: string, digits: FieldInfo["digits"]): "format" | "digits" | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return "format";
  if (!digits) return undefined;
  // Zeros at the ends take no room.
  const whole = (match[1] ?? "").replace(/^0+/, "");
  const part = (match[2] ?? "").replace(/0+$/, "");
  const isTooLong = whole.length > digits.total - digits.scale || part.length > digits.scale;
  return isTooLong ? "digits" : undefined;
}

function DecimalControl({ field }: ControlProps) {
  const { t, i18n } = useTranslation();
  const { digits } = field;
  const texts = {
    format: t("form.decimal", { example: `12${decimalSeparator(toLanguage(i18n.language))}5` }),
    digits: digits
      ? t("form.decimalDigits", { whole: digits.total - digits.scale, scale: digits.scale })
      : "",
  };
  const rule = {
    validator: async (_rule: unknown, text: string) => {
      const fault = text === "" ? undefined : findDecimalFault(text, digits);
      if (fault) throw new Error(texts[fault]);
    },
  };
  return (
    <FieldItem field={field} rules={[rule]}>
      <DecimalInput />
    </FieldItem>
  );
}

function DecimalFilter({ id, value, onChange }: FilterProps) {
  return <DecimalInput id={id} required value={value} onChange={onChange} />;
}

const decimal: FieldKind = {
  types: ["DecimalField"],
  Control: DecimalControl,
  toInput: (value) => (typeof value === "string" || typeof value === "number" ? String(value) : ""),
  toWire: (input) => (input === "" ? null : input),
  toCell: (value, _field, lang) =>
    typeof value === "string" ? textCell(formatDecimal(value, lang), { isNumber: true }) : undefined,
  cellClass: "number-cell",
  Filter: DecimalFilter,
  toFilterText: formatDecimal,
};

export const kinds: Kinds = { number: integer, decimal };
