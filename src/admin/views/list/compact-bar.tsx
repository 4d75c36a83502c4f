import { FilterOutlined, MoreOutlined } from "@ant-design/icons";
import { Badge, Button } from "antd";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { useShownCount } from "../../models/counts.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { Sheet } from "../../ui/sheet.tsx";
import { countFilters, type ListView } from "../state/list-view.ts";
import type { ChangeView } from "../state/use-list-view.ts";
import { ColumnList } from "./columns/column-chooser.tsx";
import type { Columns } from "./columns/columns.ts";
import { SortSelect } from "./columns/sort-select.tsx";
import { FilterChip, removeChip, toChips } from "./filters/filter-chips.tsx";
import { ListFilters, type ListToolbarProps, SearchBox } from "./list-toolbar.tsx";

interface FilterSheetProps {
  source: RecordSource;
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
function FilterSheet(props: FilterSheetProps) {
  const { source, view, changeView, ownFilter, columns, total, isEstimate, isOpen, onClose } = props;
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
        <ListFilters {...{ source, view, changeView, ownFilter }} />
      </section>
      <section className="sheet-sort">
        <h2>{t("list.sortBy")}</h2>
        <SortSelect source={source} sorts={view.sorts} onChange={(sorts) => changeView({ sorts })} />
      </section>
      {columns && (
        <details className="sheet-columns">
          <summary>{t("list.columns")}</summary>
          <ColumnList source={source} columns={columns} onEscape={onClose} />
        </details>
      )}
    </Sheet>
  );
}

interface MoreSheetProps {
  isOpen: boolean;
  onClose: () => void;
  text: string | undefined;
  info: ReactNode;
  /** Buttons of the list as a whole. */
  children: ReactNode;
}

/** On a phone: what can be done with the whole list, and what it is. */
function MoreSheet({ isOpen, onClose, text, info, children }: MoreSheetProps) {
  const { t } = useTranslation();
  return (
    <Sheet title={t("list.more")} isOpen={isOpen} onClose={onClose}>
      <div className="sheet-actions">{children}</div>
      {(text || info) && (
        <section>
          {text && <p className="page-text">{text}</p>}
          {info}
        </section>
      )}
    </Sheet>
  );
}

interface CompactBarProps {
  source: RecordSource;
  view: ListView;
  changeView: ChangeView;
  ownFilter?: ListToolbarProps["ownFilter"];
  /** Absent: they can't be chosen. */
  columns?: Columns;
  total: number;
  isEstimate: boolean;
  /** What the model is. */
  text?: string;
  info?: ReactNode;
  /** Buttons of the list as a whole; absent: it has no second sheet. */
  children?: ReactNode;
}

type OpenSheet = "none" | "filter" | "more";

/** The filters that are on, in one line; each leads to where it is changed. */
function ActiveFilters({
  source,
  view,
  changeView,
  ownFilter,
  onEdit,
}: CompactBarProps & { onEdit: () => void }) {
  const { t } = useTranslation();
  const chips = toChips(source.quickFilters, view, ownFilter?.owns);
  if (chips.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label={t("list.filters")}>
      {chips.map((chip) => (
        <FilterChip
          key={chip.key}
          source={source}
          group={chip.group}
          isEdited={false}
          onEdit={onEdit}
          onRemove={() => changeView(removeChip(view, chip))}
        />
      ))}
    </ul>
  );
}

/** On a phone: search, and one button each for what decides about the rows and for the rest. */
export function CompactBar(props: CompactBarProps) {
  const { source, view, changeView, ownFilter, columns, total, isEstimate, text, info, children } = props;
  const { t } = useTranslation();
  const [sheet, setSheet] = useState<OpenSheet>("none");
  const close = () => setSheet("none");
  const count = countFilters(view);
  return (
    <>
      <div className="compact-bar">
        {source.is_searchable && <SearchBox search={view.search} onChange={changeView} />}
        <Badge count={count} size="small" className="compact-filter">
          <Button
            icon={<FilterOutlined {...DECORATIVE} />}
            aria-label={count > 0 ? t("list.filterAndSortOn", { count }) : t("list.filterAndSort")}
            aria-haspopup="dialog"
            onClick={() => setSheet("filter")}
          />
        </Badge>
        {children && (
          <Button
            icon={<MoreOutlined {...DECORATIVE} />}
            aria-label={t("list.more")}
            aria-haspopup="dialog"
            onClick={() => setSheet("more")}
          />
        )}
        <ActiveFilters {...props} onEdit={() => setSheet("filter")} />
      </div>
      <FilterSheet
        {...{ source, view, changeView, ownFilter, columns, total, isEstimate }}
        isOpen={sheet === "filter"}
        onClose={close}
      />
      {children && (
        <MoreSheet text={text} info={info} isOpen={sheet === "more"} onClose={close}>
          {children}
        </MoreSheet>
      )}
    </>
  );
}
