import "./list.css";
import "./phone.css";
import "../record-actions/record-actions.css";
import { AppstoreOutlined, PlusOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link, Outlet, useNavigate } from "react-router";
import type { ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useShownCount } from "../../models/counts.ts";
import { PageHeader, type PageHeaderProps } from "../../navigation/page-header.tsx";
import { OrderButton, OrderLayer } from "../../ordering/order-button.tsx";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { usePreload } from "../../ui/timing.ts";
import { useJoinFirst, useLiveRows } from "../live/use-live-rows.ts";
import {
  OPENED_FROM_LIST,
  type RecordParts,
  RecordPartsContext,
  ShownRowsContext,
} from "../state/list-context.ts";
import { buildListViewParams } from "../state/list-view.ts";
import { useListView } from "../state/use-list-view.ts";
import { type RowCells, useColumns, withId } from "./columns/columns.ts";
import { CompactBar } from "./compact-bar.tsx";
import { ExportButton } from "./export-button.tsx";
import { ListBody } from "./list-body.tsx";
import { countExported } from "./list-export.ts";
import { ListToolbar, type ListToolbarProps } from "./list-toolbar.tsx";
import { useListLayout } from "./rows/list-layout.tsx";
import { useRows } from "./rows/use-rows.ts";

export interface ListPageProps {
  source: RecordSource;
  /** Of the breadcrumb, and where the back button leads. */
  parents?: PageHeaderProps["parents"];
  /** Beside the button that makes a new record. */
  actions?: ReactNode;
  /** About the model, between the heading and the list. */
  info?: ReactNode;
  /** A filter of the screen's own, beside those that the source names. */
  ownFilter?: ListToolbarProps["ownFilter"];
  /** Of some columns, in place of the generic cell, by field. */
  cells?: RowCells;
  /** Of a row, in place of the generic delete button. */
  rowActions?: (record: ModelRecord) => ReactNode;
  /** What the screen shows of an opened record by itself; always the same object. */
  recordParts?: RecordParts;
}

const NO_PARTS: RecordParts = {};

/** Leads to the bulk page with the list's query; nothing where the person could do nothing there. */
function BulkLink({ source, search }: { source: RecordSource; search: string }) {
  const { t } = useTranslation();
  const { permissions, paths } = source;
  if (paths.bulk === null || !(permissions.update || permissions.delete)) return null;
  return (
    <Link className="button-link" to={{ pathname: paths.bulk, search }}>
      <AppstoreOutlined {...DECORATIVE} /> {t("list.bulkOperations")}
    </Link>
  );
}

/** The generic list of one kind of records. Forms open over it, at addresses of their own that keep the list's query. */
export function ListPage({
  source,
  parents = [],
  actions,
  info,
  ownFilter,
  cells,
  rowActions,
  recordParts = NO_PARTS,
}: ListPageProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [view, changeView] = useListView(source);
  const isJoined = useJoinFirst(source.topic);
  const list = useRows(source, view, changeView, isJoined);
  useLiveRows(source, list.isRefused);
  const listed = useMemo(() => withId(source), [source]);
  const columns = useColumns(listed, view, changeView);
  const layout = useListLayout();
  usePreload(() => import("../record/record-drawer.tsx"));
  const shownIds = useMemo(
    () => (list.isFallback ? [] : list.rows.map(({ id }) => id)),
    [list.rows, list.isFallback],
  );
  const toSearch = (part: Partial<typeof view>) =>
    buildListViewParams({ ...view, ...part }, source).toString();
  const create = () =>
    void navigate({ pathname: source.paths.create, search: toSearch({}) }, { state: OPENED_FROM_LIST });
  const onCreate = source.permissions.create ? create : undefined;
  // What may not be read can't be exported, and nothing is made blindly.
  const isShown = !list.isRefused;
  const { isNarrow } = layout;
  const createText = source.texts?.create ?? t("list.create");
  const createButton = onCreate && (
    <Button
      type="primary"
      icon={<PlusOutlined {...DECORATIVE} />}
      onClick={onCreate}
      {...(isNarrow && { "aria-label": createText })}
    >
      {!isNarrow && createText}
    </Button>
  );
  const buttons = (
    <>
      {actions}
      <ExportButton
        source={source}
        view={view}
        rowCount={countExported(source, view, list.total)}
        isPlain={isNarrow}
      />
      <BulkLink source={source} search={toSearch({ page: 1 })} />
    </>
  );
  const orderButton = <OrderButton source={source} />;
  return (
    <>
      <PageHeader
        title={source.verbose_name_plural}
        parents={parents}
        isCompact={isNarrow}
        {...(!isNarrow && { text: source.description })}
        actions={
          isShown && (
            <>
              {!isNarrow && buttons}
              {createButton}
            </>
          )
        }
      />
      {!isNarrow && info}
      {isShown && <SummaryCards source={source} summary={list.summary} />}
      {isShown &&
        (isNarrow ? (
          <CompactBar
            {...{ source: listed, view, changeView, ownFilter, columns, info, text: source.description }}
            total={list.total}
            isEstimate={list.isEstimate}
          >
            {buttons}
            {orderButton}
          </CompactBar>
        ) : (
          <ListToolbar source={listed} {...{ view, changeView, ownFilter }} extra={orderButton} />
        ))}
      <OrderLayer source={source} />
      <ListBody
        source={listed}
        {...{ list, view, changeView, columns, layout, onCreate, cells, rowActions }}
      />
      <ShownRowsContext value={shownIds}>
        <RecordPartsContext value={recordParts}>
          <Outlet context={source} />
        </RecordPartsContext>
      </ShownRowsContext>
    </>
  );
}

interface SummaryCardsProps {
  source: RecordSource;
  /** Of the list's answer. */
  summary: Readonly<Record<string, number>> | undefined;
}

/** How many rows the filters find, in parts. A back end that doesn't count them has no cards: a 0 would be untrue. */
function SummaryCards({ source, summary }: SummaryCardsProps) {
  const shownCount = useShownCount();
  const cards = (source.summaryCards ?? []).flatMap(({ name, label }) => {
    const count = summary?.[name];
    return count === undefined ? [] : [{ name, label, count }];
  });
  if (cards.length === 0) return null;
  return (
    <dl className="summary-cards">
      {cards.map(({ name, label, count }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>{shownCount(count, false)}</dd>
        </div>
      ))}
    </dl>
  );
}
