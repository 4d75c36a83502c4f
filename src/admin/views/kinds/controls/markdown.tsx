import { Button } from "antd";
import { lazy, Suspense, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo } from "#contract/content/models.ts";
import { toLanguage } from "#contract/languages.ts";
import { toProse } from "../cell-value.ts";
import { type ControlProps, FieldItem, type Kinds, useLengthRule } from "../kind.tsx";
import { findForeignPictures, PictureInserter } from "../picture-inserter.tsx";
import { Area, type AreaProps, textValue } from "../text-input.tsx";
import { LocalizedPair, localizedTextValue } from "./localized.tsx";

/** Fetched when somebody wants to see it. A file that can't be had says so in place of taking the form away. */
const PagePreview = lazy(() => import("../page-preview.tsx").catch(() => ({ default: PreviewFailed })));

function PreviewFailed() {
  const { t } = useTranslation();
  return <p role="alert">{t("form.previewFailed")}</p>;
}

interface MarkdownInputProps extends AreaProps, ControlProps {
  label: string;
}

const isPage = ({ app_label, model_name }: ControlProps["source"]) =>
  app_label === "site" && model_name === "page";

/** Pictures that visitors won't see: said while they can still be uploaded. */
function ForeignPictures({ text }: { text: string }) {
  const { t } = useTranslation();
  const hosts = findForeignPictures(text);
  return (
    <p className="field-warning" role="status">
      {hosts.length > 0 && t("form.picture.foreign", { hosts: hosts.join(", ") })}
    </p>
  );
}

/** Markdown to write, or as the page will draw it. The text stays where it is while its preview is looked at. */
function MarkdownInput({ field, source, label, value = "", lang, ...rest }: MarkdownInputProps) {
  const { t } = useTranslation();
  const [isPreview, setPreview] = useState(false);
  const id = useId();
  const writing = useRef<HTMLDivElement>(null);
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
        {!isPreview && (
          <PictureInserter
            model={source.content_type_id}
            field={field}
            label={label}
            getArea={() => writing.current?.querySelector("textarea") ?? null}
          />
        )}
      </fieldset>
      <div id={id}>
        <div ref={writing} hidden={isPreview}>
          <Area {...rest} {...(lang && { lang })} className="code-input" rows={8} value={value} />
          <ForeignPictures text={value} />
        </div>
        {isPreview && (
          <section className="markdown-preview" aria-label={`${label}: ${t("form.preview")}`}>
            {value.trim() === "" && !isPage(source) ? (
              <p className="preview-empty">{t("form.previewEmpty")}</p>
            ) : (
              <Suspense fallback={<p role="status">{t("states.loading")}</p>}>
                <PagePreview
                  text={value}
                  lang={toLanguage(lang)}
                  {...(isPage(source) && { sides: field.name })}
                />
              </Suspense>
            )}
          </section>
        )}
      </div>
    </div>
  );
}

/** Names that can be written into the text, and what stands in their place: opened by whoever needs one. */
function Placeholders({ field: { placeholders = [] } }: { field: FieldInfo }) {
  const { t } = useTranslation();
  if (placeholders.length === 0) return null;
  return (
    <details className="field-placeholders">
      <summary>{t("form.placeholders", { count: placeholders.length })}</summary>
      <dl>
        {placeholders.map(({ value, label }) => (
          <div key={value}>
            <dt>
              <code>{value}</code>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function MarkdownControl({ field, source }: ControlProps) {
  const { t } = useTranslation();
  return (
    <>
      <FieldItem field={field} hint={t("form.markdownHint")} rules={useLengthRule(field)}>
        <MarkdownInput field={field} source={source} label={field.verbose_name} />
      </FieldItem>
      <Placeholders field={field} />
    </>
  );
}

function LocalizedMarkdownControl({ field, source }: ControlProps) {
  const { t } = useTranslation();
  return (
    <>
      <LocalizedPair
        field={field}
        rules={useLengthRule(field)}
        hint={t("form.markdownHint")}
        input={(lang) => (
          <MarkdownInput
            field={field}
            source={source}
            lang={lang}
            label={t("form.localizedLabel", { field: field.verbose_name, language: t(`languages.${lang}`) })}
          />
        )}
      />
      <Placeholders field={field} />
    </>
  );
}

export const kinds: Kinds = {
  markdown: { types: ["MarkdownField"], Control: MarkdownControl, ...textValue, toProse },
  "localized-markdown": { types: [], Control: LocalizedMarkdownControl, ...localizedTextValue },
};
