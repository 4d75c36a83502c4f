import { ArrowDownOutlined, ArrowUpOutlined, MinusOutlined } from "@ant-design/icons";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { HealthAnswer } from "#contract/health.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { useHealthText } from "./use-health-text.ts";

const TREND_ICONS = {
  up: <ArrowUpOutlined {...DECORATIVE} />,
  down: <ArrowDownOutlined {...DECORATIVE} />,
  stable: <MinusOutlined {...DECORATIVE} />,
};

/** Where a figure goes: this hour against the one before. */
function TrendMark({ trend }: { trend: HealthAnswer["memory_trend"] }) {
  const { t } = useTranslation();
  if (trend === null) return <p>{t("health.trend.none")}</p>;
  return (
    <p>
      {TREND_ICONS[trend]} {t(`health.trend.${trend}`)} · {t("health.trend.against")}
    </p>
  );
}

interface MetricCardProps {
  title: string;
  value: string;
  help: string;
  /** The figure's trend, where it has one. */
  children?: ReactNode;
}

function MetricCard({ title, value, help, children }: MetricCardProps) {
  return (
    <li className="health-card">
      <h3>{title}</h3>
      <p className="metric-value">{value}</p>
      <p>{help}</p>
      {children}
    </li>
  );
}

const NO_VALUE = "–";

/** Availability and outbox: what not every back end knows. */
function RecordCards({ health }: { health: HealthAnswer }) {
  const { t } = useTranslation();
  const text = useHealthText();
  const { availability, outbox } = health;
  const oldest = outbox?.oldest_s ?? null;
  return (
    <>
      <MetricCard
        title={t("health.metrics.availability")}
        value={availability === null ? NO_VALUE : text.exactShare(availability)}
        help={t(
          availability === null ? "health.metrics.availabilityNone" : "health.metrics.availabilityHelp",
        )}
      />
      {outbox && (
        <MetricCard
          title={t("health.metrics.outbox")}
          value={text.count(outbox.pending)}
          help={
            oldest === null
              ? t("health.metrics.outboxEmpty")
              : t("health.metrics.outboxOldest", { duration: text.duration(oldest) })
          }
        />
      )}
    </>
  );
}

/** Every measured figure with its trend. */
export function MetricsPart({ health }: { health: HealthAnswer }) {
  const { t } = useTranslation();
  const text = useHealthText();
  const { response_time: responseTime, disk_usage: disk } = health;
  return (
    <section aria-label={t("health.metrics.title")}>
      <h2>{t("health.metrics.title")}</h2>
      <ul className="health-cards metric-cards">
        <MetricCard
          title={t("health.metrics.responseTime")}
          value={responseTime === null ? NO_VALUE : text.milliseconds(responseTime)}
          help={t(responseTime === null ? "health.metrics.none" : "health.metrics.responseTimeHelp")}
        >
          <TrendMark trend={health.response_time_trend} />
        </MetricCard>
        <MetricCard
          title={t("health.metrics.memory")}
          value={text.bytes(health.memory_usage)}
          help={t("health.metrics.memoryHelp")}
        >
          <TrendMark trend={health.memory_trend} />
        </MetricCard>
        <MetricCard
          title={t("health.metrics.disk")}
          value={disk === null ? NO_VALUE : text.share(disk)}
          help={t(disk === null ? "health.metrics.none" : "health.metrics.diskHelp")}
        >
          <TrendMark trend={health.disk_trend} />
        </MetricCard>
        <MetricCard
          title={t("health.metrics.uptime")}
          value={text.duration(health.uptime)}
          help={t("health.metrics.uptimeHelp")}
        />
        <RecordCards health={health} />
      </ul>
    </section>
  );
}
