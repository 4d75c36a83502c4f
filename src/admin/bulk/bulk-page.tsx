import { useTranslation } from "react-i18next";
import { PageHeader } from "../layout/page-header.tsx";

export function BulkPage() {
  const { t } = useTranslation();
  return <PageHeader title={t("bulk.title")} />;
}
