import { Input } from "antd";
import { useTranslation } from "react-i18next";
import type { ControlDefinition, ControlProps } from "./control.ts";
import { FieldItem, useLengthRule } from "./field-item.tsx";
import { LocalizedPair, localizedTextValue } from "./localized.tsx";
import { textValue } from "./text.tsx";

const ROWS = { minRows: 6, maxRows: 24 };

function MarkdownControl({ field }: ControlProps) {
  const { t } = useTranslation();
  return (
    <FieldItem field={field} hint={t("form.markdownHint")} rules={useLengthRule(field)}>
      <Input.TextArea className="code-input" autoSize={ROWS} />
    </FieldItem>
  );
}

function LocalizedMarkdownControl({ field }: ControlProps) {
  const { t } = useTranslation();
  return (
    <LocalizedPair
      field={field}
      rules={useLengthRule(field)}
      hint={t("form.markdownHint")}
      input={(lang) => <Input.TextArea className="code-input" lang={lang} autoSize={ROWS} />}
    />
  );
}

export const markdown: ControlDefinition = { Control: MarkdownControl, ...textValue };
export const localizedMarkdown: ControlDefinition = {
  Control: LocalizedMarkdownControl,
  ...localizedTextValue,
};
