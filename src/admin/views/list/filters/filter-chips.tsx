import { CloseOutlined, FilterOutlined } from "@ant-design/icons";
import { Fragment, type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { QueryFilter } from "#contract/content/models.ts";
import { toLanguage } from "#contract/languages.ts";
import type { QuickFilter, RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../../ui/accessibility.ts";
import { useFilterText } from "../../kinds/filter-value.tsx";
import { type FilterGroup, isSameFilter, type ListView } from "../../state/list-view.ts";
import { withoutQuick } from "./quick-filters.tsx";

type Filtered = Pick<ListView, "filters" | "groups">;

/** What one chip says: a filter, or a group. */
export interface Chip {
  key: string;
  group: FilterGroup;
  /** What it is of the view. */
  source: QueryFilter | FilterGroup;
}

/** The chips of a view; what a quick filter or another control (`isShown`) shows already needs none. */
export function toChips(
  quickFilters: readonly QuickFilter[],
  { filters, groups }: Filtered,
  isShown: (filter: QueryFilter) => boolean = () => false,
): Chip[] {
  const single = withoutQuick(quickFilters, filters)
    .filter((filter) => !isShown(filter))
    .map((filter) => ({ group: [[filter]], source: filter }));
  const several = groups.map((group) => ({ group, source: group }));
  return [...single, ...several].map((chip) => ({ ...chip, key: JSON.stringify(chip.group) }));
}

export function removeChip({ filters, groups }: Filtered, { source }: Chip): Filtered {
  return {
    filters: filters.filter((filter) => filter !== source),
    groups: groups.filter((group) => group !== source),
  };
}

/** Filters that are put where one of them stood, each once. */
function putFilters(
  filters: readonly QueryFilter[],
  before: QueryFilter | FilterGroup | undefined,
  put: readonly QueryFilter[],
): QueryFilter[] {
  const others = filters.filter(
    (each) => each === before || !put.some((filter) => isSameFilter(each, filter)),
  );
  if (!others.some((each) => each === before)) return [...others, ...put];
  return others.flatMap((each) => (each === before ? put : each));
}

/** A view with a chip's new words, `before` gone. A single alternative is filters like others: all of them have to hold. */
export function putChip(view: Filtered, before: Chip | undefined, group: FilterGroup): Filtered {
  const [only, ...more] = group;
  if (only && more.length === 0) {
    const filters = putFilters(view.filters, before?.source, only);
    return { filters, groups: view.groups.filter((each) => each !== before?.source) };
  }
  const isReplaced = view.groups.some((each) => each === before?.source);
  return {
    filters: view.filters.filter((filter) => filter !== before?.source),
    groups: isReplaced
      ? view.groups.map((each) => (each === before?.source ? group : each))
      : [...view.groups, group],
  };
}

interface Joined {
  key: string;
  body: ReactNode;
}

/** `A, B or C`, with the words of the reader's language between. */
function Join({ type, parts }: { type: "conjunction" | "disjunction"; parts: readonly Joined[] }) {
  const { i18n } = useTranslation();
  const format = new Intl.ListFormat(toLanguage(i18n.language), { type });
  const places = parts.map((_part, at) => String(at));
  return format.formatToParts(places).map(({ type: kind, value }, at) => {
    const part = kind === "element" ? parts[Number(value)] : undefined;
    return <Fragment key={part?.key ?? at}>{part ? part.body : value}</Fragment>;
  });
}

function FilterText({ source, filter }: { source: RecordSource; filter: QueryFilter }) {
  return useFilterText(source, filter);
}

interface AlternativeProps {
  source: RecordSource;
  filters: readonly QueryFilter[];
  isBracketed: boolean;
}

function Alternative({ source, filters, isBracketed }: AlternativeProps) {
  const conditions = filters.map((filter) => ({
    key: JSON.stringify(filter),
    body: <FilterText source={source} filter={filter} />,
  }));
  const body = <Join type="conjunction" parts={conditions} />;
  return isBracketed ? <>({body})</> : body;
}

/** A group as people read it: `Issuer is exactly “ACME” or (Kind is exactly “Talk” and Year is at least “2020”)`. */
function GroupText({ source, group }: { source: RecordSource; group: FilterGroup }) {
  const alternatives = group.map((filters) => ({
    key: JSON.stringify(filters),
    body: (
      <Alternative source={source} filters={filters} isBracketed={filters.length > 1 && group.length > 1} />
    ),
  }));
  return <Join type="disjunction" parts={alternatives} />;
}

interface FilterChipProps {
  source: RecordSource;
  /** One filter is a group of one. */
  group: FilterGroup;
  isEdited: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

/** A filter or a group of them as a sentence, which opens it, and the way to remove it. */
export function FilterChip({ source, group, isEdited, onEdit, onRemove }: FilterChipProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <li className="filter-chip">
      <button type="button" title={t("list.changeFilter")} aria-expanded={isEdited} onClick={onEdit}>
        <FilterOutlined {...DECORATIVE} />{" "}
        <span id={`${id}-text`}>
          <GroupText source={source} group={group} />
        </span>
      </button>
      <button type="button" aria-labelledby={`${id}-remove ${id}-text`} onClick={onRemove}>
        <CloseOutlined {...DECORATIVE} />
        <span id={`${id}-remove`} hidden>
          {t("list.removeFilter")}
        </span>
      </button>
    </li>
  );
}
