import { usePage } from "../../ui/page-context.tsx";

export function RegisterPage() {
  const { t } = usePage();
  return (
    <section className="account-card">
      <h1>{t("site:head.register")}</h1>
    </section>
  );
}
