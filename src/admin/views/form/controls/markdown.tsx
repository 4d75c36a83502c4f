import { useTranslation } from "react-i18next";
import type { ControlDefinition, ControlProps } from "./control.ts";
import { FieldItem, useLengthRule } from "./field-item.tsx";
import { LocalizedPair, localizedTextValue } from "./localized.tsx";
import { MarkdownInput } from "./markdown-input.tsx";
import { textValue } from "./text.tsx";

function MarkdownControl({ field }: ControlProps) {
  const { t } = useTranslation();
  return (
    <FieldItem field={field} hint={t("form.markdownHint")} rules={useLengthRule(field)}>
      <MarkdownInput label={field.verbose_name} />
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
      input={(lang) => (
        <MarkdownInput
          lang={lang}
          label={t("form.localizedLabel", { field: field.verbose_name, language: t(`languages.${lang}`) })}
        />
      )}
    />
  );
}

export const markdown: ControlDefinition = { Control: MarkdownControl, ...textValue };
export const localizedMarkdown: ControlDefinition = {
  Control: LocalizedMarkdownControl,
  ...localizedTextValue,
};
