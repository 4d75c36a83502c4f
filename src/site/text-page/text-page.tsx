import type { TextPage as TextPageContent } from "#contract/site.ts";
import { usePage } from "../../ui/page-context.tsx";

/** A page of text: terms, privacy. */
export function TextPage({ page }: { page: TextPageContent }) {
  const { t, formatDate } = usePage();
  return (
    <article className="text-page">
      <h1>{page.title}</h1>
      <p className="text-page-date">
        {t("site:textPage.updated")} <time dateTime={page.updated_on}>{formatDate(page.updated_on)}</time>
      </p>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made by the server from Markdown, without any HTML of the author */}
      <div className="text-body" dangerouslySetInnerHTML={{ __html: page.html }} />
    </article>
  );
}
