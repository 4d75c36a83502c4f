import "./recent-activity.css";
import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  RollbackOutlined,
  SendOutlined,
  WarningOutlined,
} from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { RecentDelivery } from "#contract/mail-stats.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";

const DELIVERY_ICONS = {
  pending: ClockCircleOutlined,
  sent: SendOutlined,
  delivered: CheckCircleOutlined,
  bounced: RollbackOutlined,
  complained: WarningOutlined,
  failed: CloseCircleOutlined,
} as const satisfies Record<RecentDelivery["status"], unknown>;

/** The state of a mail as icon, word and colour. */
export function DeliveryTag({ status }: { status: RecentDelivery["status"] }) {
  const { t } = useTranslation();
  const Icon = DELIVERY_ICONS[status];
  return (
    <span className="delivery-tag" data-status={status}>
      <Icon {...DECORATIVE} />
      {t(`emailMonitoring.status.${status}`)}
    </span>
  );
}
