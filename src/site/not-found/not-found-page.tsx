import { usePage } from "../../ui/page-context.tsx";
import { SiteLink } from "../../ui/site-link.tsx";
import { BackButton } from "./back-button.tsx";

export function NotFoundPage() {
  const { t } = usePage();
  return (
    <section className="not-found">
      <p className="not-found-code" aria-hidden="true">
        404
      </p>
      <h1>{t("site:notFound.title")}</h1>
      <p className="prose">{t("site:notFound.text")}</p>
      <p className="not-found-ways">
        <SiteLink className="button" to="/cv">
          {t("site:notFound.home")}
        </SiteLink>
        <BackButton />
      </p>
    </section>
  );
}
