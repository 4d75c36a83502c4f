import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChartSeries } from "./series.ts";

interface ChartTableProps {
  title: string;
  series: ChartSeries;
}

/** The same figures in words, newest first: for screen readers, the keyboard, and whoever wants to copy them. */
export function ChartTable({ title, series }: ChartTableProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="chart-details" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {t("charts.table")}
        <span className="visually-hidden">: {title}</span>
      </summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable with the keyboard
        <section className="chart-table" aria-label={title} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t("charts.time")}</th>
                <th scope="col">{title}</th>
              </tr>
            </thead>
            <tbody>
              {series.points.toReversed().map(({ at, value }) => (
                <tr key={at}>
                  <th scope="row">{series.formatMoment(at)}</th>
                  <td>{value === null ? t("charts.none") : series.formatValue(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
