import { useTranslation } from "react-i18next";
import { type ControlDefinition, type ControlProps, FieldItem, useLengthRule } from "./control.tsx";
import { Area, TextInput } from "./text-input.tsx";

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

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

function SlugControl({ field }: ControlProps) {
  const { t } = useTranslation();
  return (
    <FieldItem
      field={field}
      hint={t("form.slugHint")}
      rules={[...useLengthRule(field), { pattern: SLUG, message: t("form.slug") }]}
    >
      <TextInput className="code-input" autoCapitalize="none" spellCheck={false} />
    </FieldItem>
  );
}

export const slug: ControlDefinition = { Control: SlugControl, ...textValue };
