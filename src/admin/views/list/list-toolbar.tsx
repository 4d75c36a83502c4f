import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import type { QueryFilter } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { FilterBar } from "./filter-bar.tsx";
import type { ListView } from "./list-view.ts";
import { QuickFilterSelect } from "./quick-filter-select.tsx";
import { SearchBox } from "./search-box.tsx";
import type { ChangeView } from "./use-list-view.ts";

interface ListToolbarProps {
  model: RecordSource;
  view: ListView;
  changeView: ChangeView;
  /** At the end of the line. */
  extra?: ReactNode;
}

/** What decides which rows a list shows. */
export function ListToolbar({ model, view, changeView, extra }: ListToolbarProps) {
  const { t } = useTranslation();
  const [isTooMany, setTooMany] = useState(false);
  function setFilters(filters: readonly QueryFilter[]): void {
    // An address may bring too many; taking some away is always possible.
    const isRefused = filters.length > ADMIN_LIMITS.filtersMax && filters.length > view.filters.length;
    setTooMany(isRefused);
    if (!isRefused) changeView({ filters });
  }
  return (
    <div className="toolbar">
      {model.is_searchable && <SearchBox search={view.search} onChange={changeView} />}
      {model.quickFilters.map((quick) => (
        <QuickFilterSelect key={quick.labelKey} quick={quick} filters={view.filters} onChange={setFilters} />
      ))}
      <FilterBar model={model} filters={view.filters} onChange={setFilters} />
      <span className="toolbar-extra">{extra}</span>
      {isTooMany && (
        <p className="filter-note" role="alert">
          {t("list.filtersMax", { count: ADMIN_LIMITS.filtersMax })}
        </p>
      )}
    </div>
  );
}
