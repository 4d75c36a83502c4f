import { CloseCircleFilled, SearchOutlined } from "@ant-design/icons";
import { Input, type InputRef } from "antd";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { QueryFilter } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { countFilters, type ListView } from "../state/list-view.ts";
import type { ChangeView } from "../state/use-list-view.ts";
import { FilterBar } from "./filters/filter-bar.tsx";
import { QuickFilterSelect } from "./filters/quick-filters.tsx";

const TYPING_PAUSE_MS = 300;

interface SearchBoxProps {
  search: string;
  onChange: ChangeView;
}

/**
 * Searches when the typing pauses. The first search of a visit to the box makes a history entry, the ones that go on typing
 * replace it: one Back leads to where the person was before.
 */
export function SearchBox({ search, onChange }: SearchBoxProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(search);
  const hasPushed = useRef(false);
  const sent = useRef(search);
  const box = useRef<InputRef>(null);
  useShortcut("/", "list.shortcuts.search", () => box.current?.focus({ cursor: "all" }));

  // Back, Forward and links change the search from outside; what one types oneself comes back as it was sent.
  useEffect(() => {
    if (search !== sent.current) setText(search);
    sent.current = search;
  }, [search]);

  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      onChange({ search: text }, { replace: hasPushed.current });
      hasPushed.current = true;
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);

  return (
    <Input
      ref={box}
      className="search-box"
      type="search"
      allowClear={{ clearIcon: <CloseCircleFilled aria-label={t("list.clearSearch")} /> }}
      prefix={<SearchOutlined {...DECORATIVE} />}
      aria-label={t("list.search")}
      placeholder={t("list.search")}
      maxLength={ADMIN_LIMITS.searchMaxChars}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => {
        hasPushed.current = false;
      }}
    />
  );
}

export interface ListToolbarProps {
  source: RecordSource;
  view: ListView;
  changeView: ChangeView;
  /** A control of the screen's own for some filters, which are no chips then. */
  ownFilter?:
    | {
        draw: (
          filters: readonly QueryFilter[],
          onChange: (filters: readonly QueryFilter[]) => void,
        ) => ReactNode;
        owns: (filter: QueryFilter) => boolean;
      }
    | undefined;
  /** At the end of the line. */
  extra?: ReactNode;
}

/** Every filter that can be set: the model's ready-made ones, the screen's own, and one's own. */
export function ListFilters({ source, view, changeView, ownFilter }: ListToolbarProps) {
  const { t } = useTranslation();
  const [isTooMany, setTooMany] = useState(false);
  function setFilters(next: Pick<ListView, "filters" | "groups">): void {
    // An address may bring too many; taking some away is always possible.
    const count = countFilters(next);
    const isRefused = count > ADMIN_LIMITS.filtersMax && count > countFilters(view);
    setTooMany(isRefused);
    if (!isRefused) changeView(next);
  }
  return (
    <>
      {source.quickFilters.map((quick) => (
        <QuickFilterSelect
          key={quick.labelKey}
          quick={quick}
          filters={view.filters}
          onChange={(filters) => setFilters({ filters, groups: view.groups })}
        />
      ))}
      {ownFilter?.draw(view.filters, (filters) => setFilters({ filters, groups: view.groups }))}
      <FilterBar source={source} view={view} isShown={ownFilter?.owns} onChange={setFilters} />
      {isTooMany && (
        <p className="filter-note" role="alert">
          {t("list.filtersMax", { count: ADMIN_LIMITS.filtersMax })}
        </p>
      )}
    </>
  );
}

/** What decides which rows a list shows. */
export function ListToolbar({ source, view, changeView, ownFilter, extra }: ListToolbarProps) {
  return (
    <div className="toolbar">
      {source.is_searchable && <SearchBox search={view.search} onChange={changeView} />}
      <ListFilters {...{ source, view, changeView, ownFilter }} />
      <span className="toolbar-extra">{extra}</span>
    </div>
  );
}
