import { usePage } from "../../ui/page-context.tsx";

export function ForgotPasswordPage() {
  const { t } = usePage();
  return (
    <section className="account-card">
      <h1>{t("site:head.forgotPassword")}</h1>
    </section>
  );
}
