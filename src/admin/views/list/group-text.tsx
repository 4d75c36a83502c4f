import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import type { QueryFilter } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import type { FilterGroup } from "../state/list-view.ts";
import { useFilterText } from "./use-filter-text.ts";

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

function FilterText({ model, filter }: { model: RecordSource; filter: QueryFilter }) {
  return useFilterText(model, filter);
}

interface AlternativeProps {
  model: RecordSource;
  filters: readonly QueryFilter[];
  isBracketed: boolean;
}

function Alternative({ model, filters, isBracketed }: AlternativeProps) {
  const conditions = filters.map((filter) => ({
    key: JSON.stringify(filter),
    body: <FilterText model={model} filter={filter} />,
  }));
  const body = <Join type="conjunction" parts={conditions} />;
  return isBracketed ? <>({body})</> : body;
}

/** A group as people read it: `Issuer is exactly “ACME” or (Kind is exactly “Talk” and Year is at least “2020”)`. */
export function GroupText({ model, group }: { model: RecordSource; group: FilterGroup }) {
  const alternatives = group.map((filters) => ({
    key: JSON.stringify(filters),
    body: (
      <Alternative model={model} filters={filters} isBracketed={filters.length > 1 && group.length > 1} />
    ),
  }));
  return <Join type="disjunction" parts={alternatives} />;
}
