import { usePage } from "../../ui/page-context.tsx";

export function VerifyEmailPage() {
  const { t } = usePage();
  return (
    <section className="account-card">
      <h1>{t("site:head.verifyEmail")}</h1>
    </section>
  );
}
