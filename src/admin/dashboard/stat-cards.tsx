import { AuditOutlined, DatabaseOutlined, FieldTimeOutlined, TeamOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { DashboardAnswer } from "#contract/dashboard.ts";
import { actionsResource } from "#resources/actions.ts";
import { healthResource } from "#resources/health.ts";
import { modelsResource } from "#resources/models.ts";
import { usersResource } from "#resources/users.ts";
import { useShownCount } from "../models/counts.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { useNumberText } from "./figures.tsx";
import { StatCard } from "./stat-card.tsx";
import { TrendText } from "./trend-text.tsx";

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
