import { Alert } from "antd";
import { useTranslation } from "react-i18next";

export function DeleteWarning() {
  const { t } = useTranslation();
  return (
    <Alert
      type="warning"
      showIcon
      message={t("bulk.deleteWarning")}
      description={t("bulk.deleteWarningHelp")}
    />
  );
}
