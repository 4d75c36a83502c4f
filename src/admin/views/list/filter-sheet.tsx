import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { Sheet } from "../../parts/sheet.tsx";
import type { ListView } from "../state/list-view.ts";
import type { ChangeView } from "../state/use-list-view.ts";
import { ColumnList } from "./columns/column-chooser.tsx";
import { ListFilters, type ListToolbarProps } from "./list-toolbar.tsx";
import { SortSelect } from "./sort-select.tsx";
import type { Columns } from "./use-columns.ts";
import { useShownCount } from "./use-shown-count.ts";

interface FilterSheetProps {
  model: RecordSource;
  view: ListView;
  changeView: ChangeView;
  ownFilter: ListToolbarProps["ownFilter"];
  columns: Columns | undefined;
  total: number;
  isEstimate: boolean;
  isOpen: boolean;
  onClose: () => void;
}

/** On a phone: which rows, in which order, with which of their fields. Every change shows at once below. */
export function FilterSheet(props: FilterSheetProps) {
  const { model, view, changeView, ownFilter, columns, total, isEstimate, isOpen, onClose } = props;
  const { t } = useTranslation();
  const shownCount = useShownCount();
  return (
    <Sheet
      title={t("list.filterAndSort")}
      isOpen={isOpen}
      onClose={onClose}
      doneText={t("list.showFound", { count: total, shown: shownCount(total, isEstimate) })}
    >
      <section className="sheet-filters">
        <h2>{t("list.filters")}</h2>
        <ListFilters {...{ model, view, changeView, ownFilter }} />
      </section>
      <section className="sheet-sort">
        <h2>{t("list.sortBy")}</h2>
        <SortSelect model={model} sorts={view.sorts} onChange={(sorts) => changeView({ sorts })} />
      </section>
      {columns && (
        <details className="sheet-columns">
          <summary>{t("list.columns")}</summary>
          <ColumnList model={model} columns={columns} onEscape={onClose} />
        </details>
      )}
    </Sheet>
  );
}
