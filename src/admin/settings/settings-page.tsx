import { useTranslation } from "react-i18next";
import { PageHeader } from "../layout/page-header.tsx";

export function SettingsPage() {
  const { t } = useTranslation();
  return <PageHeader title={t("nav.settings")} />;
}
