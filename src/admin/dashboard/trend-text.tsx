import { ArrowDownOutlined, ArrowUpOutlined, MinusOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { DashboardAnswer } from "#contract/dashboard.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { useNumberText } from "./figures.tsx";

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
export function TrendText({ figure }: { figure: MovingFigure | undefined }) {
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
