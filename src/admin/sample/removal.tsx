import { useTranslation } from "react-i18next";

interface SampleCountsProps {
  counts: readonly { verbose_name: string; count: number }[];
}

/** How many of each kind, without those of which there are none. */
export function SampleCounts({ counts }: SampleCountsProps) {
  const { t, i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language);
  return (
    <ul className="sample-counts">
      {counts
        .filter(({ count }) => count > 0)
        .map(({ verbose_name, count }) => (
          <li key={verbose_name}>{t("sample.count", { kind: verbose_name, shown: format.format(count) })}</li>
        ))}
    </ul>
  );
}
