import { usePage } from "../../ui/page-context.tsx";
import { SiteLink } from "../../ui/site-link.tsx";

/** The documented screen that isn't on this site yet, said in words. */
export function LaterPage() {
  const { t } = usePage();
  return (
    <section className="notice-page">
      <h1>{t("site:later.rooms")}</h1>
      <p className="prose">{t("site:later.text")}</p>
      <p>
        <SiteLink className="button" to="/dev">
          {t("site:later.toDev")}
        </SiteLink>
      </p>
    </section>
  );
}
