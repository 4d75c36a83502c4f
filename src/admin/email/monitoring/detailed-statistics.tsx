import { useTranslation } from "react-i18next";
import type { MailStats } from "#contract/mail-stats.ts";
import { FactsList } from "../../parts/facts-list.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toTold } from "./rates.ts";
import { useRateText } from "./use-rate-text.ts";

/** The eight documented figures (specification B section 3). */
export function DetailedStatistics({ stats }: { stats: MailStats }) {
  const { t } = useTranslation();
  const { count, rate } = useRateText();
  const unknown = t(`emailMonitoring.rates.${stats.total_sent === 0 ? "state.none" : "unknown"}`);
  const toRate = (value: number | null) => (value === null ? unknown : rate(value));
  /** Where nobody tells of such mails, the least that it is. */
  const toKnown = (value: number | null, isTold: boolean) => {
    if (value === null || (value === 0 && !isTold)) return unknown;
    return isTold ? count(value) : t("emailMonitoring.rates.known", { count: count(value) });
  };
  const told = toTold(stats);
  const isAccepted = stats.delivered_is_accepted === true;
  const rows = [
    ["total_sent", count(stats.total_sent)],
    [isAccepted ? "total_accepted" : "total_delivered", count(stats.total_delivered)],
    ["total_bounced", toKnown(stats.total_bounced, told.bounced)],
    ["total_complained", toKnown(stats.total_complained, told.complained)],
    ["total_rejected", count(stats.total_rejected)],
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
