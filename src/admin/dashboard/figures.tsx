import {
  ArrowDownOutlined,
  ArrowUpOutlined,
  AuditOutlined,
  DatabaseOutlined,
  FieldTimeOutlined,
  MinusOutlined,
  TeamOutlined,
} from "@ant-design/icons";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { DashboardAnswer } from "#contract/dashboard.ts";
import { toLanguage } from "#contract/languages.ts";
import { actionsResource } from "#resources/actions.ts";
import { healthResource, modelsResource } from "#resources/screens.ts";
import { usersResource } from "#resources/users.ts";
import { TrendFigure } from "../charts/figures.tsx";
import { buildUtcDays, type ChartSeries } from "../charts/series.ts";
import { useShownCount } from "../models/counts.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { Panel } from "../ui/panel.tsx";

/** Numbers in the reader's language. Shares are fractions: 0.1 is ten percent. */
function useNumberText() {
  const { i18n } = useTranslation();
  const lang = toLanguage(i18n.language);
  return useMemo(() => {
    const count = new Intl.NumberFormat(lang);
    const compact = new Intl.NumberFormat(lang, { notation: "compact", maximumFractionDigits: 1 });
    const percent = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 0 });
    const exactPercent = new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 2 });
    return {
      count: count.format,
      compact: compact.format,
      percent: percent.format,
      exactPercent: exactPercent.format,
    };
  }, [lang]);
}

type MovingFigure = NonNullable<DashboardAnswer["stats"]["new_users"]>;

/** Below half a percent the words would say 0 %. */
const SAME_SHARE = 0.005;

function toDirection(trend: number | null) {
  if (trend === null) return "none";
  if (Math.abs(trend) < SAME_SHARE) return "same";
  return trend > 0 ? "more" : "fewer";
}

const TREND_ICONS = {
  more: <ArrowUpOutlined {...DECORATIVE} />,
  fewer: <ArrowDownOutlined {...DECORATIVE} />,
  same: <MinusOutlined {...DECORATIVE} />,
  none: null,
};

/** What came in the last 30 days, and how that compares with the 30 before. A back end may not know. */
function TrendText({ figure }: { figure: MovingFigure | undefined }) {
  const { t } = useTranslation();
  const { count, percent } = useNumberText();
  const direction = toDirection(figure?.trend ?? null);
  return (
    <>
      {figure && <p>{t("dashboard.newOnes", { count: figure.value, shown: count(figure.value) })}</p>}
      <p>
        {TREND_ICONS[direction]}{" "}
        {t(`dashboard.trend.${direction}`, { percent: percent(Math.abs(figure?.trend ?? 0)) })}
      </p>
    </>
  );
}

interface StatCardProps {
  icon: ReactNode;
  label: string;
  value: string;
  /** Screen that shows what is counted. */
  to: string;
  children: ReactNode;
}

/** One figure. The label is the link, and the whole card its target. */
function StatCard({ icon, label, value, to, children }: StatCardProps) {
  return (
    <li className="stat-card">
      <span className="stat-icon">{icon}</span>
      <h2 className="stat-label">
        <Link to={to}>{label}</Link>
      </h2>
      <p className="stat-value">{value}</p>
      <div className="stat-help">{children}</div>
    </li>
  );
}

/** Total Users, Total Actions, Available Models and Uptime (specification B section 2), all of them measured. */
export function StatCards({ stats }: { stats: DashboardAnswer["stats"] }) {
  const { t } = useTranslation();
  const { count, exactPercent } = useNumberText();
  const shown = useShownCount();
  const { uptime } = stats;
  return (
    <ul className="stat-cards" aria-label={t("dashboard.figures")}>
      <StatCard
        icon={<TeamOutlined {...DECORATIVE} />}
        label={t("dashboard.stats.users")}
        value={shown(stats.total_users, stats.total_users_is_estimate === true)}
        to={usersResource.list}
      >
        <TrendText figure={stats.new_users} />
      </StatCard>
      <StatCard
        icon={<AuditOutlined {...DECORATIVE} />}
        label={t("dashboard.stats.actions")}
        value={shown(stats.total_actions, stats.total_actions_is_estimate === true)}
        to={actionsResource.list}
      >
        <TrendText figure={stats.new_actions} />
      </StatCard>
      <StatCard
        icon={<DatabaseOutlined {...DECORATIVE} />}
        label={t("dashboard.stats.models")}
        value={count(stats.available_models)}
        to={modelsResource.list}
      >
        <p>{t("dashboard.modelsHelp")}</p>
      </StatCard>
      <StatCard
        icon={<FieldTimeOutlined {...DECORATIVE} />}
        label={t("dashboard.stats.uptime")}
        value={uptime === null ? "–" : exactPercent(uptime)}
        to={healthResource.list}
      >
        <p>{t(uptime === null ? "dashboard.uptimeNone" : "dashboard.uptimeHelp")}</p>
      </StatCard>
    </ul>
  );
}

type Day = DashboardAnswer["activity"][number];

/** Days are of UTC, as the server counts them. */
function useDaySeries(activity: readonly Day[], read: (day: Day) => number): ChartSeries {
  const { i18n } = useTranslation();
  const { count, compact } = useNumberText();
  const lang = toLanguage(i18n.language);
  return useMemo(() => {
    return {
      ...buildUtcDays(lang),
      kind: "bars",
      points: activity.map((day) => ({ at: day.date, value: read(day) })),
      formatValue: (value) => count(value),
      formatAxis: (value) => compact(value),
    };
  }, [activity, read, lang, count, compact]);
}

const readActions = (day: Day) => day.actions;
const readSignUps = (day: Day) => day.sign_ups;
const sumDays = (activity: readonly Day[], read: (day: Day) => number) =>
  activity.reduce((total, day) => total + read(day), 0);

/** Actions and sign-ups per day. Each has an axis of its own: a hundred actions would flatten three sign-ups. */
export function ActivityPanel({ activity }: { activity: readonly Day[] }) {
  const { t } = useTranslation();
  const { count } = useNumberText();
  const actions = useDaySeries(activity, readActions);
  const signUps = useDaySeries(activity, readSignUps);
  return (
    <Panel title={t("dashboard.activity.title")} className="activity">
      <div className="activity-charts">
        <TrendFigure
          title={t("dashboard.activity.actions")}
          number={count(sumDays(activity, readActions))}
          period={t("dashboard.days")}
          series={actions}
        />
        <TrendFigure
          title={t("dashboard.activity.signUps")}
          number={count(sumDays(activity, readSignUps))}
          period={t("dashboard.days")}
          series={signUps}
        />
      </div>
    </Panel>
  );
}
