import "./text-page.css";
import type { Language } from "#contract/languages.ts";
import type { TextPage as TextPageContent } from "#contract/site/site.ts";
import { usePage } from "../../ui/page-context.tsx";
import { trustHtml } from "../../ui/trusted-types.ts";

/** Made once: a formatter costs a tenth of drawing a page. */
const FORMATS: Partial<Record<Language, Intl.DateTimeFormat>> = {};

function formatDate(date: string, lang: Language): string {
  FORMATS[lang] ??= new Intl.DateTimeFormat(lang, { dateStyle: "long", timeZone: "UTC" });
  return FORMATS[lang].format(new Date(date));
}

/** A page of text: terms, privacy, and those that the owner made. */
export function TextPage({ page }: { page: TextPageContent }) {
  const { lang, t } = usePage();
  // What is missing in the visitor's language is shown in the other one, and says so to who hears it.
  const toOther = (own: Language) => (own === lang ? undefined : own);
  return (
    <article className="text-page">
      <h1 lang={toOther(page.title_lang)}>{page.title}</h1>
      <p className="text-page-date">
        {t("site:textPage.updated")}{" "}
        <time dateTime={page.updated_on}>{formatDate(page.updated_on, lang)}</time>
      </p>
      <div
        lang={toOther(page.html_lang)}
        className="text-body"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the server from Markdown, without any HTML of the author
        dangerouslySetInnerHTML={{ __html: trustHtml(page.html) }}
      />
    </article>
  );
}
