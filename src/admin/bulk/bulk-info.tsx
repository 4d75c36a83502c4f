import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import type { Rows } from "../views/list/use-rows.ts";
import { useShownCount } from "../views/list/use-shown-count.ts";
import { countSelected, type Selection } from "../views/state/selection.ts";

interface BulkInfoProps {
  model: RecordSource;
  selection: Selection;
  list: Pick<Rows, "total" | "isEstimate">;
}

/** The model, how many objects it has, and how many of them are selected. */
export function BulkInfo({ model, selection, list }: BulkInfoProps) {
  const { t } = useTranslation();
  const shownCount = useShownCount();
  const isEstimate = list.isEstimate && selection.kind === "query";
  const facts = [
    [t("bulk.model"), model.verbose_name],
    [t("bulk.totalObjects"), shownCount(model.count, model.count_is_estimate)],
    [t("bulk.selectedCount"), shownCount(countSelected(selection, list.total), isEstimate)],
  ] as const;
  return (
    <section aria-label={t("bulk.info")}>
      <dl className="bulk-info">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
