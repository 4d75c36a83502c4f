import { useTranslation } from "react-i18next";
import { PageHeader } from "../layout/page-header.tsx";

export function DashboardPage() {
  const { t } = useTranslation();
  return <PageHeader title={t("nav.dashboard")} />;
}
