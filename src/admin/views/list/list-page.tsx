import { PlusOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { Outlet, useNavigate } from "react-router";
import type { ModelInfo } from "#contract/models.ts";
import { objectPaths } from "#resources/objects.ts";
import { PageHeader } from "../../layout/page-header.tsx";
import { DECORATIVE } from "../../parts/decorative.ts";
import { ExportButton } from "./export-button.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { buildListViewParams, toRowQuery } from "./list-view.ts";
import { OPENED_FROM_LIST } from "./opened-from-list.ts";
import { RowsTable } from "./rows-table.tsx";
import { SearchBox } from "./search-box.tsx";
import { useListView } from "./use-list-view.ts";

/** The generic list of one model. Forms open over it, at addresses of their own that keep the list's query. */
export function ListPage({ model }: { model: ModelInfo }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [view, changeView] = useListView();
  const search = buildListViewParams(view).toString();
  const create = () =>
    void navigate(
      { pathname: objectPaths.create(model.content_type_id), search },
      { state: OPENED_FROM_LIST },
    );
  return (
    <>
      <PageHeader
        title={model.verbose_name_plural}
        text={model.description}
        actions={
          <>
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
      <RowsTable model={model} view={view} changeView={changeView} onCreate={create} />
      <Outlet context={model} />
    </>
  );
}
