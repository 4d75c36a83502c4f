import { micromark } from "micromark";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";

/** A link must not take the form away. */
function openApart(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link) return;
  event.preventDefault();
  window.open(link.href, "_blank", "noopener,noreferrer");
}

/** Markdown as the public page draws it (server/site): HTML of the author is text, addresses like `javascript:` are dropped. */
export default function MarkdownPreview({ text, lang }: { text: string; lang: string | undefined }) {
  const { t } = useTranslation();
  if (text.trim() === "") return <p className="preview-empty">{t("form.previewEmpty")}</p>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links inside are what is pressed, by keys too
    <div
      lang={lang}
      onClick={openApart}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made of Markdown without any HTML of the author
      dangerouslySetInnerHTML={{ __html: micromark(text) }}
    />
  );
}
