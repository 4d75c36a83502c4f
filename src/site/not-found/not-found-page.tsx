import "./not-found.css";
import { useEffect, useState } from "react";
import { SiteLink } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";

/** Leads back to where the visitor came from; not drawn where there is no such place, as in a new tab. */
function BackButton() {
  const { t } = usePage();
  const [canGoBack, setCanGoBack] = useState(false);
  useEffect(() => setCanGoBack(window.history.length > 1), []);
  return (
    canGoBack && (
      <button className="button not-found-back" type="button" onClick={() => window.history.back()}>
        {t("site:notFound.back")}
      </button>
    )
  );
}

export function NotFoundPage() {
  const { site, t } = usePage();
  return (
    <section className="not-found">
      <p className="not-found-code" aria-hidden="true">
        404
      </p>
      <h1>{t("site:notFound.title")}</h1>
      <p className="prose">{t("site:notFound.text")}</p>
      <p className="not-found-ways">
        <SiteLink className="button" to={site.front}>
          {t("site:notFound.home")}
        </SiteLink>
        <BackButton />
      </p>
    </section>
  );
}
