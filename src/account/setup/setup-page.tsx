import { usePage } from "../../ui/page-context.tsx";

export function SetupPage() {
  const { t } = usePage();
  return (
    <section className="account-card">
      <h1>{t("site:head.setup")}</h1>
    </section>
  );
}
