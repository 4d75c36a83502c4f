import { useTranslation } from "react-i18next";
import { PageHeader } from "../layout/page-header.tsx";

export function HealthPage() {
  const { t } = useTranslation();
  return <PageHeader title={t("nav.health")} />;
}
