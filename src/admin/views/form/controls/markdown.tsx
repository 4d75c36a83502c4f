import { useTranslation } from "react-i18next";
import type { ControlDefinition, ControlProps } from "../../kinds/control.tsx";
import { LocalizedPair, localizedTextValue } from "../../kinds/localized.tsx";
import { MarkdownInput } from "../../kinds/markdown.tsx";
import { textValue } from "../../kinds/text.tsx";
import { FieldItem, useLengthRule } from "./field-item.tsx";

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
