import { useTranslation } from "react-i18next";
import { FieldItem } from "../form/controls/field-item.tsx";
import { TextInput } from "../form/controls/text-input.tsx";
import type { ControlDefinition, ControlProps } from "./control.tsx";

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

export const integer: ControlDefinition = {
  Control: IntegerControl,
  toInput: (value) => (typeof value === "number" ? String(value) : ""),
  toWire: (input) => (typeof input === "string" && input.trim() !== "" ? Number(input) : null),
};
