import { useTranslation } from "react-i18next";
import { PageHeader } from "../layout/page-header.tsx";

export function ActionsPage() {
  const { t } = useTranslation();
  return <PageHeader title={t("nav.actions")} />;
}
