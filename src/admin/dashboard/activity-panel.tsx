import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DashboardAnswer } from "#contract/dashboard.ts";
import { toLanguage } from "#contract/languages.ts";
import { TrendFigure } from "../charts/figures.tsx";
import type { ChartSeries } from "../charts/series.ts";
import { buildUtcDays } from "../charts/utc-days.ts";
import { Panel } from "../ui/panel.tsx";
import { useNumberText } from "./figures.tsx";

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
