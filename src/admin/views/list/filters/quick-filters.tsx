import { Select } from "antd";
import type { ParseKeys } from "i18next";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { QueryFilter } from "#contract/content/models.ts";
import type { QuickFilter } from "#resources/record-source.ts";
import { isSameFilter } from "../../state/list-view.ts";

const holds = (filters: readonly QueryFilter[], wanted: readonly QueryFilter[]) =>
  wanted.every((filter) => filters.some((other) => isSameFilter(filter, other)));

const remove = (filters: readonly QueryFilter[], gone: readonly QueryFilter[]) =>
  filters.filter((filter) => !gone.some((other) => isSameFilter(filter, other)));

/** The chosen option's place: the one of which every filter is in the view, the most exact first; -1 stands for All. */
export function findChosen({ options }: QuickFilter, filters: readonly QueryFilter[]): number {
  const matching = options.flatMap((option, at) =>
    option.filters.length > 0 && holds(filters, option.filters) ? [{ at, size: option.filters.length }] : [],
  );
  return matching.toSorted((a, b) => b.size - a.size)[0]?.at ?? -1;
}

/** The filters after another option was chosen. */
export function chooseOption(
  quick: QuickFilter,
  filters: readonly QueryFilter[],
  at: number,
): readonly QueryFilter[] {
  const before = quick.options[findChosen(quick, filters)]?.filters ?? [];
  const after = quick.options[at]?.filters ?? [];
  const rest = remove(filters, before);
  return [...rest, ...remove(after, rest)];
}

/** Filters that no quick filter shows already. */
export function withoutQuick(
  quickFilters: readonly QuickFilter[],
  filters: readonly QueryFilter[],
): readonly QueryFilter[] {
  return quickFilters.reduce(
    (rest, quick) => remove(rest, quick.options[findChosen(quick, filters)]?.filters ?? []),
    filters,
  );
}

const ALL = -1;

interface QuickFilterSelectProps {
  quick: QuickFilter;
  filters: readonly QueryFilter[];
  onChange: (filters: readonly QueryFilter[]) => void;
}

/** A choice that stands for filters, such as Status or Access level. */
export function QuickFilterSelect({ quick, filters, onChange }: QuickFilterSelectProps) {
  const { t } = useTranslation();
  const id = useId();
  // Resources are data: their keys are checked by the tests of the locale files.
  const text = (key: string) => t(key as ParseKeys);
  return (
    <span className="quick-filter">
      <label htmlFor={id}>{text(quick.labelKey)}</label>
      <Select
        id={id}
        popupMatchSelectWidth={false}
        value={findChosen(quick, filters)}
        options={[
          { value: ALL, label: t("list.all") },
          ...quick.options.map(({ labelKey }, value) => ({ value, label: text(labelKey) })),
        ]}
        onChange={(at) => onChange(chooseOption(quick, filters, at))}
      />
    </span>
  );
}
