import { Button } from "antd";
import { lazy, Suspense, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { toProse } from "../cell-value.ts";
import { type ControlProps, FieldItem, type Kinds, useLengthRule } from "../kind.tsx";
import { Area, type AreaProps, textValue } from "../text-input.tsx";
import { LocalizedPair, localizedTextValue } from "./localized.tsx";

/** Fetched when somebody wants to see it. A file that can't be had says so in place of taking the form away. */
const MarkdownPreview = lazy(() =>
  import("../markdown-preview.tsx").catch(() => ({ default: PreviewFailed })),
);

function PreviewFailed() {
  const { t } = useTranslation();
  return <p role="alert">{t("form.previewFailed")}</p>;
}

interface MarkdownInputProps extends AreaProps {
  label: string;
}

/** Markdown to write, or as the page will draw it. The text stays where it is while its preview is looked at. */
function MarkdownInput({ label, value = "", lang, ...rest }: MarkdownInputProps) {
  const { t } = useTranslation();
  const [isPreview, setPreview] = useState(false);
  const id = useId();
  return (
    <div className="markdown-control">
      <fieldset className="markdown-modes">
        <legend className="visually-hidden">{t("form.previewOf", { field: label })}</legend>
        {[false, true].map((isOfPreview) => (
          <Button
            key={String(isOfPreview)}
            size="small"
            type="text"
            aria-pressed={isPreview === isOfPreview}
            aria-controls={id}
            onClick={() => setPreview(isOfPreview)}
          >
            {t(isOfPreview ? "form.preview" : "form.write")}
          </Button>
        ))}
      </fieldset>
      <div id={id}>
        <div hidden={isPreview}>
          <Area {...rest} {...(lang && { lang })} className="code-input" rows={8} value={value} />
        </div>
        {isPreview && (
          <section className="markdown-preview" aria-label={`${label}: ${t("form.preview")}`}>
            <Suspense fallback={<p role="status">{t("states.loading")}</p>}>
              <MarkdownPreview text={value} lang={lang} />
            </Suspense>
          </section>
        )}
      </div>
    </div>
  );
}

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

export const kinds: Kinds = {
  markdown: { types: ["MarkdownField"], Control: MarkdownControl, ...textValue, toProse },
  "localized-markdown": { types: [], Control: LocalizedMarkdownControl, ...localizedTextValue },
};
