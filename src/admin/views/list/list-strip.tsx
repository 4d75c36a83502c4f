import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { toErrorText } from "../../parts/error-text.ts";
import type { ListView } from "../state/list-view.ts";
import type { ChangeView } from "../state/use-list-view.ts";
import { ColumnChooser } from "./columns/column-chooser.tsx";
import { LayoutButton } from "./layout-button.tsx";
import type { ListLayout } from "./rows/list-layout.tsx";
import { SortSelect } from "./sort-select.tsx";
import type { Columns } from "./use-columns.ts";
import type { ExactCount } from "./use-exact-count.ts";
import { useShownCount } from "./use-shown-count.ts";

interface ListStripProps {
  model: RecordSource;
  view: ListView;
  changeView: ChangeView;
  columns: Columns;
  total: number;
  isEstimate: boolean;
  exact: ExactCount;
  layout: ListLayout;
}

/** The line above the rows: how many there are, their order, their columns; on a phone how they are drawn. */
export function ListStrip(props: ListStripProps) {
  const { model, view, changeView, columns, total, isEstimate, exact, layout } = props;
  const { t } = useTranslation();
  const shownCount = useShownCount();
  return (
    <>
      <p className="list-total" role="status">
        {t("list.found", { count: total, shown: shownCount(total, isEstimate) })}
      </p>
      {isEstimate && (
        <Button type="link" size="small" loading={exact.isCounting} onClick={exact.count}>
          {t("list.countExactly")}
        </Button>
      )}
      {exact.error !== null && (
        <span className="list-count-error" role="alert">
          {t("list.countFailed", { reason: toErrorText(exact.error, t) })}
        </span>
      )}
      <span className="list-strip-end">
        {layout.isNarrow ? (
          <LayoutButton {...layout} />
        ) : (
          <>
            <SortSelect model={model} sorts={view.sorts} onChange={(sorts) => changeView({ sorts })} />
            <ColumnChooser model={model} columns={columns} />
          </>
        )}
      </span>
    </>
  );
}
