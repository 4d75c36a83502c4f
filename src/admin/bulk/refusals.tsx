import { useTranslation } from "react-i18next";
import type { Refusal } from "#contract/bulk.ts";

/** Why rows are left alone, and how many for each reason. */
export function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const { t, i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language);
  return (
    <ul className="bulk-refusals">
      {refusals.map(({ reason, message, count }) => (
        <li key={reason}>{t("bulk.preview.refusal", { message, shown: format.format(count) })}</li>
      ))}
    </ul>
  );
}
