import { RelatedSelect } from "../form/controls/related-select.tsx";
import { type FilterValueProps, splitValues } from "../kinds/filter-value.tsx";
import { useRelatedNames } from "./use-related-names.ts";

/** Related rows by their names; their ids travel. */
export function RelatedFilter({
  id,
  operator,
  value,
  onChange,
  relatedModel,
}: FilterValueProps & { relatedModel: number }) {
  const ids = splitValues(value).map(Number).filter(Number.isSafeInteger);
  const names = useRelatedNames(relatedModel, ids);
  return (
    <RelatedSelect
      id={id}
      className="filter-related"
      relatedModel={relatedModel}
      isMultiple={operator === "in"}
      value={ids.map((row) => ({ id: row, repr: names.get(row) ?? `#${row}` }))}
      onChange={(rows) => onChange(rows.map((row) => row.id).join(","))}
    />
  );
}
