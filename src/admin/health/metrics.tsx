import { ArrowDownOutlined, ArrowUpOutlined, MinusOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { HealthAnswer } from "#contract/health.ts";
import { DECORATIVE } from "../ui/accessibility.ts";

const TREND_ICONS = {
  up: <ArrowUpOutlined {...DECORATIVE} />,
  down: <ArrowDownOutlined {...DECORATIVE} />,
  stable: <MinusOutlined {...DECORATIVE} />,
};

/** Where a figure goes: this hour against the one before. */
export function TrendMark({ trend }: { trend: HealthAnswer["memory_trend"] }) {
  const { t } = useTranslation();
  if (trend === null) return <p>{t("health.trend.none")}</p>;
  return (
    <p>
      {TREND_ICONS[trend]} {t(`health.trend.${trend}`)} · {t("health.trend.against")}
    </p>
  );
}
