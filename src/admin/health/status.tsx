import {
  CheckCircleFilled,
  CloseCircleFilled,
  ExclamationCircleFilled,
  QuestionCircleFilled,
} from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { HealthStatus } from "#contract/health.ts";
import { DECORATIVE } from "../ui/accessibility.ts";

const STATUS_ICONS = {
  healthy: <CheckCircleFilled {...DECORATIVE} />,
  warning: <ExclamationCircleFilled {...DECORATIVE} />,
  critical: <CloseCircleFilled {...DECORATIVE} />,
  unknown: <QuestionCircleFilled {...DECORATIVE} />,
};

/** A status as icon, word and colour. */
export function StatusMark({ status }: { status: HealthStatus }) {
  const { t } = useTranslation();
  return (
    <span className="status-mark" data-status={status}>
      {STATUS_ICONS[status]}
      {t(`health.status.${status}`)}
    </span>
  );
}
