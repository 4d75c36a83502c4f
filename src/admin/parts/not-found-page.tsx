import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { PageHeader } from "../navigation/page-header.tsx";

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t("errors.notFound")} text={t("errors.notFoundHelp")} />
      <p>
        <Link to="/admin">{t("layout.brand")}</Link>
      </p>
    </>
  );
}
