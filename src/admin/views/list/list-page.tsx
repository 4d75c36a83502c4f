import "./list.css";
import { PlusOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, useNavigate } from "react-router";
import type { ModelRecord } from "#contract/models.ts";

import type { RecordSource } from "#resources/record-source.ts";
import { PageHeader, type PageHeaderProps } from "../../layout/page-header.tsx";
import { DECORATIVE } from "../../parts/decorative.ts";
import { ExportButton } from "./export-button.tsx";
import { FilterBar } from "./filter-bar.tsx";
import type { RowCells } from "./list-columns.tsx";
import { buildListViewParams, toRowQuery } from "./list-view.ts";
import { OPENED_FROM_LIST } from "./opened-from-list.ts";
import { RowsTable } from "./rows-table.tsx";
import { SearchBox } from "./search-box.tsx";
import { useListView } from "./use-list-view.ts";

export interface ListPageProps {
  model: RecordSource;
  /** Of the breadcrumb, and where the back button leads. */
  parents?: PageHeaderProps["parents"];
  /** Beside the button that makes a new record. */
  actions?: ReactNode;
  /** Of some columns, in place of the generic cell, by field. */
  cells?: RowCells;
  /** Of a row, in place of the generic delete button. */
  rowActions?: (record: ModelRecord) => ReactNode;
}

/** The generic list of one kind of records. Forms open over it, at addresses of their own that keep the list's query. */
export function ListPage({ model, parents = [], actions, cells, rowActions }: ListPageProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [view, changeView] = useListView();
  const search = buildListViewParams(view).toString();
  const create = () => void navigate({ pathname: model.paths.create, search }, { state: OPENED_FROM_LIST });
  return (
    <>
      <PageHeader
        title={model.verbose_name_plural}
        text={model.description}
        parents={parents}
        actions={
          <>
            {actions}
            <ExportButton model={model} query={toRowQuery(view)} />
            {model.permissions.create && (
              <Button type="primary" icon={<PlusOutlined {...DECORATIVE} />} onClick={create}>
                {t("list.create")}
              </Button>
            )}
          </>
        }
      />
      <div className="toolbar">
        {model.is_searchable && <SearchBox search={view.search} onChange={changeView} />}
        <FilterBar model={model} filters={view.filters} onChange={(filters) => changeView({ filters })} />
      </div>
      <RowsTable
        model={model}
        view={view}
        changeView={changeView}
        onCreate={create}
        cells={cells}
        rowActions={rowActions}
      />
      <Outlet context={model} />
    </>
  );
}
