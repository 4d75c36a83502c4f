import { CaretDownFilled, CaretUpFilled } from "@ant-design/icons";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo, QuerySort } from "#contract/models.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { toCellClass } from "./list-columns.tsx";

interface PageBoxProps {
  state: "none" | "some" | "all";
  onChange: (isChosen: boolean) => void;
}

/** Selects the rows of this page; half ticked when some of them are selected. */
function PageBox({ state, onChange }: PageBoxProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLInputElement>(null);
  // The DOM alone knows this state; HTML has no attribute for it.
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === "some";
  }, [state]);
  return (
    <label>
      <input
        ref={box}
        type="checkbox"
        aria-label={t("list.selectPage")}
        checked={state === "all"}
        onChange={({ target }) => onChange(target.checked)}
      />
    </label>
  );
}

interface HeadCellProps {
  field: FieldInfo;
  isFirst: boolean;
  sort: QuerySort | undefined;
  onSort: (sort: QuerySort) => void;
}

const ARIA_SORTS = { asc: "ascending", desc: "descending" } as const;

function HeadCell({ field, isFirst, sort, onSort }: HeadCellProps) {
  const direction = sort?.field === field.name ? sort.direction : undefined;
  const className = `${isFirst ? "first-cell " : ""}${toCellClass(field)}`;
  if (!field.sortable) {
    return (
      <th scope="col" className={className}>
        {field.verbose_name}
      </th>
    );
  }
  return (
    <th scope="col" className={className} aria-sort={direction && ARIA_SORTS[direction]}>
      <button
        type="button"
        className="sort-button"
        onClick={() => onSort({ field: field.name, direction: direction === "asc" ? "desc" : "asc" })}
      >
        {field.verbose_name}
        {direction === "desc" ? <CaretDownFilled {...DECORATIVE} /> : <CaretUpFilled {...DECORATIVE} />}
      </button>
    </th>
  );
}

interface TableHeadProps {
  columns: readonly FieldInfo[];
  sort: QuerySort | undefined;
  onSort: (sort: QuerySort) => void;
  /** Undefined: rows can't be selected. */
  page: PageBoxProps | undefined;
  hasActions: boolean;
}

export function TableHead({ columns, sort, onSort, page, hasActions }: TableHeadProps) {
  const { t } = useTranslation();
  return (
    <thead>
      <tr>
        {page && (
          <td className="choose-cell">
            <PageBox {...page} />
          </td>
        )}
        {columns.map((field, index) => (
          <HeadCell key={field.name} field={field} isFirst={index === 0} sort={sort} onSort={onSort} />
        ))}
        {hasActions && (
          <th scope="col" className="actions-cell">
            <span className="visually-hidden">{t("list.actions")}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
