import "./list.css";
import { AppstoreOutlined, PlusOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link, Outlet, useNavigate } from "react-router";
import type { ModelRecord } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { PageHeader, type PageHeaderProps } from "../../layout/page-header.tsx";
import { OrderButton } from "../../ordering/order-button.tsx";
import { DECORATIVE } from "../../parts/decorative.ts";
import { usePreload } from "../../parts/use-preload.ts";
import { ExportButton } from "./export-button.tsx";
import { ListBody } from "./list-body.tsx";
import type { RowCells } from "./list-columns.tsx";
import { ListToolbar } from "./list-toolbar.tsx";
import { buildListViewParams, toRowQuery } from "./list-view.ts";
import { OPENED_FROM_LIST } from "./opened-from-list.ts";
import { useJoinFirst } from "./use-join-first.ts";
import { useListView } from "./use-list-view.ts";
import { useLiveRows } from "./use-live-rows.ts";
import { useRows } from "./use-rows.ts";
import { withId } from "./with-id.ts";

export interface ListPageProps {
  model: RecordSource;
  /** Of the breadcrumb, and where the back button leads. */
  parents?: PageHeaderProps["parents"];
  /** Beside the button that makes a new record. */
  actions?: ReactNode;
  /** About the model, between the heading and the list. */
  info?: ReactNode;
  /** Of some columns, in place of the generic cell, by field. */
  cells?: RowCells;
  /** Of a row, in place of the generic delete button. */
  rowActions?: (record: ModelRecord) => ReactNode;
}

/** Leads to the bulk page with the list's query; nothing where the person could do nothing there. */
function BulkLink({ model, search }: { model: RecordSource; search: string }) {
  const { t } = useTranslation();
  const { permissions, paths } = model;
  if (paths.bulk === null || !(permissions.update || permissions.delete)) return null;
  return (
    <Link className="button-link" to={{ pathname: paths.bulk, search }}>
      <AppstoreOutlined {...DECORATIVE} /> {t("list.bulkOperations")}
    </Link>
  );
}

/** The generic list of one kind of records. Forms open over it, at addresses of their own that keep the list's query. */
export function ListPage({ model, parents = [], actions, info, cells, rowActions }: ListPageProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [view, changeView] = useListView(model.pageSize);
  const isJoined = useJoinFirst(model.topic);
  const list = useRows(model, view, changeView, isJoined);
  useLiveRows(model, list.isRefused);
  usePreload(() => import("../form/record-drawer.tsx"));
  const listed = useMemo(() => withId(model), [model]);
  const toSearch = (part: Partial<typeof view>) =>
    buildListViewParams({ ...view, ...part }, model.pageSize).toString();
  const create = () =>
    void navigate({ pathname: model.paths.create, search: toSearch({}) }, { state: OPENED_FROM_LIST });
  const onCreate = model.permissions.create ? create : undefined;
  return (
    <>
      <PageHeader
        title={model.verbose_name_plural}
        text={model.description}
        parents={parents}
        actions={
          // What may not be read can't be exported, and nothing is made blindly.
          !list.isRefused && (
            <>
              {actions}
              <ExportButton
                model={model}
                query={toRowQuery(view)}
                columns={view.columns}
                rowCount={list.total}
              />
              <BulkLink model={model} search={toSearch({ page: 1 })} />
              {onCreate && (
                <Button type="primary" icon={<PlusOutlined {...DECORATIVE} />} onClick={onCreate}>
                  {model.texts?.create ?? t("list.create")}
                </Button>
              )}
            </>
          )
        }
      />
      {info}
      {!list.isRefused && (
        <ListToolbar
          model={listed}
          view={view}
          changeView={changeView}
          extra={<OrderButton model={model} />}
        />
      )}
      <ListBody model={listed} {...{ list, view, changeView, onCreate, cells, rowActions }} />
      <Outlet context={model} />
    </>
  );
}
