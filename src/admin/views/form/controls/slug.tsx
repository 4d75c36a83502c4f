import { useTranslation } from "react-i18next";
import type { ControlDefinition, ControlProps } from "../../kinds/control.tsx";
import { textValue } from "../../kinds/text.tsx";
import { FieldItem, useLengthRule } from "./field-item.tsx";
import { TextInput } from "./text-input.tsx";

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
