import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AnySeries, toColumns } from "./series.ts";

interface ChartTableProps {
  title: string;
  series: AnySeries;
}

/** The same figures in words, newest first: for screen readers, the keyboard, and whoever wants to copy them. */
export function ChartTable({ title, series }: ChartTableProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const columns = toColumns(series, title);
  const toText = (value: number | null | undefined) =>
    value === null || value === undefined ? (series.missing ?? t("charts.none")) : series.formatValue(value);
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
                <th scope="col">{t(series.isUtc ? "charts.dayUtc" : "charts.time")}</th>
                {columns.map(({ label }) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {series.points
                .map(({ at }, place) => (
                  <tr key={at}>
                    <th scope="row">{series.formatMoment(at)}</th>
                    {columns.map(({ label, values }) => (
                      <td key={label}>{toText(values[place])}</td>
                    ))}
                  </tr>
                ))
                .toReversed()}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
