import type { LaterScreen } from "#contract/page.ts";
import { usePage } from "../../ui/page-context.tsx";
import { SiteLink } from "../../ui/site-link.tsx";

/** A documented screen that isn't on this site yet, said in words. */
export function LaterPage({ feature }: { feature: LaterScreen }) {
  const { t } = usePage();
  const titles = {
    rooms: t("site:later.rooms"),
    register: t("site:later.register"),
    "verify-email": t("site:later.verifyEmail"),
  };
  return (
    <section className="notice-page">
      <h1>{titles[feature]}</h1>
      <p className="prose">{t("site:later.text")}</p>
      <p>
        <SiteLink className="button" to="/dev">
          {t("site:later.toDev")}
        </SiteLink>
      </p>
    </section>
  );
}
