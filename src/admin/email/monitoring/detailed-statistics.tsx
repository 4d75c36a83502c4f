import { useTranslation } from "react-i18next";
import type { MailStats } from "#contract/mail-stats.ts";
import { Panel } from "../../dashboard/panel.tsx";
import { FactsList } from "../../parts/facts-list.tsx";
import { useRateText } from "./use-rate-text.ts";

/** The eight documented figures (specification B section 3). */
export function DetailedStatistics({ stats }: { stats: MailStats }) {
  const { t } = useTranslation();
  const { count, rate } = useRateText();
  const unknown = t("emailMonitoring.rates.unknown");
  const toCount = (value: number | null) => (value === null ? unknown : count(value));
  const toRate = (value: number | null) => {
    if (value !== null) return rate(value);
    return stats.total_sent === 0 ? t("emailMonitoring.rates.state.none") : unknown;
  };
  const isAccepted = stats.delivered_is_accepted === true;
  const rows = [
    ["total_sent", toCount(stats.total_sent)],
    [isAccepted ? "total_accepted" : "total_delivered", toCount(stats.total_delivered)],
    ["total_bounced", toCount(stats.total_bounced)],
    ["total_complained", toCount(stats.total_complained)],
    ["total_rejected", toCount(stats.total_rejected)],
    ["delivery_rate", toRate(stats.delivery_rate)],
    ["bounce_rate", toRate(stats.bounce_rate)],
    ["complaint_rate", toRate(stats.complaint_rate)],
  ] as const;
  return (
    <Panel title={t("emailMonitoring.details.title")}>
      <FactsList
        facts={rows.map(([name, value]) => [t(`emailMonitoring.details.${name}`), value] as const)}
      />
      <p className="monitoring-help">{t("emailMonitoring.details.help")}</p>
    </Panel>
  );
}
