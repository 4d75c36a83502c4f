import { useTranslation } from "react-i18next";
import { EmailText } from "../../../ui/person.tsx";
import { toProse } from "../cell-value.ts";
import { type ControlProps, drawWords, FieldItem, type Kinds, useLengthRule } from "../kind.tsx";
import { Area, TextInput, textValue } from "../text-input.tsx";

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

const prose = { ...textValue, toProse };

export const kinds: Kinds = {
  text: { types: ["CharField"], Control: TextControl, ...prose },
  textarea: { types: ["TextField"], Control: TextAreaControl, ...prose },
  email: {
    types: ["EmailField"],
    Control: EmailControl,
    ...prose,
    drawText: (cell, props) => drawWords(cell, props, (words) => <EmailText email={words} />),
  },
  url: { types: ["URLField"], Control: UrlControl, ...prose },
  slug: { types: ["SlugField"], Control: SlugControl, ...prose },
};
