import { usePage } from "../../ui/page-context.tsx";

/** The developer hub (specification A 2.6). */
export function DevHubPage() {
  const { t } = usePage();
  return <h1>{t("site:layout.dev")}</h1>;
}
