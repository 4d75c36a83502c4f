import { useTranslation } from "react-i18next";
import { Area } from "../form/controls/area.tsx";
import { FieldItem, useLengthRule } from "../form/controls/field-item.tsx";
import { TextInput } from "../form/controls/text-input.tsx";
import type { ControlDefinition, ControlProps } from "./control.tsx";

/** Texts and everything that is written as one: null on the wire is an empty input. */
export const textValue: Pick<ControlDefinition, "toInput" | "toWire"> = {
  toInput: (value) => (typeof value === "string" ? value : ""),
  toWire: (input) => (input === "" ? null : input),
};

function TextControl({ field }: ControlProps) {
  return (
    <FieldItem field={field} rules={useLengthRule(field)}>
      <TextInput />
    </FieldItem>
  );
}

function TextAreaControl({ field }: ControlProps) {
  return (
    <FieldItem field={field} rules={useLengthRule(field)}>
      <Area rows={3} />
    </FieldItem>
  );
}

function EmailControl({ field }: ControlProps) {
  const { t } = useTranslation();
  return (
    <FieldItem field={field} rules={[...useLengthRule(field), { type: "email", message: t("form.email") }]}>
      <TextInput type="email" inputMode="email" />
    </FieldItem>
  );
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? "");
}

function UrlControl({ field }: ControlProps) {
  const { t } = useTranslation();
  const rule = {
    validator: (_rule: unknown, text: string) =>
      text === "" || isWebAddress(text) ? Promise.resolve() : Promise.reject(new Error(t("form.url"))),
  };
  return (
    <FieldItem field={field} rules={[...useLengthRule(field), rule]}>
      <TextInput type="url" inputMode="url" placeholder="https://" />
    </FieldItem>
  );
}

export const text: ControlDefinition = { Control: TextControl, ...textValue };
export const textarea: ControlDefinition = { Control: TextAreaControl, ...textValue };
export const email: ControlDefinition = { Control: EmailControl, ...textValue };
export const url: ControlDefinition = { Control: UrlControl, ...textValue };
