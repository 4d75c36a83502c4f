import { CaretDownFilled, CaretUpFilled } from "@ant-design/icons";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo, QuerySort } from "#contract/content/models.ts";
import { DECORATIVE } from "../../../ui/accessibility.ts";
import { toCellClass } from "../columns/columns.ts";

export interface PageBoxProps {
  state: "none" | "some" | "all";
  onChange: (isChosen: boolean) => void;
}

/** Selects the rows of this page; half ticked when some of them are selected. */
export function PageBox({ state, onChange }: PageBoxProps) {
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
  sorts: readonly QuerySort[];
  /** `isAlso`: beside the sorts that are there. */
  onSort: (field: string, isAlso: boolean) => void;
}

/** Of a list with several sorts: the place of this one, in figures and in words. */
function SortPlace({ place, direction }: { place: number; direction: QuerySort["direction"] }) {
  const { t } = useTranslation();
  return (
    <span className="sort-place">
      <span aria-hidden>{place}</span>
      <span className="visually-hidden">
        {t("list.sortPlace", { place, direction: t(`list.direction.${direction}`) })}
      </span>
    </span>
  );
}

const ARIA_SORTS = { asc: "ascending", desc: "descending" } as const;

function HeadCell({ field, isFirst, sorts, onSort }: HeadCellProps) {
  const { t } = useTranslation();
  const place = sorts.findIndex((sort) => sort.field === field.name);
  const direction = sorts[place]?.direction;
  const className = `${isFirst ? "first-cell " : ""}${toCellClass(field)}`;
  if (!field.sortable) {
    return (
      <th scope="col" className={className}>
        {field.verbose_name}
      </th>
    );
  }
  return (
    // ARIA knows one sorted column; the others say their place themselves.
    <th
      scope="col"
      className={className}
      aria-sort={place === 0 && direction ? ARIA_SORTS[direction] : undefined}
    >
      <button
        type="button"
        className="sort-button"
        data-sorted={direction !== undefined || undefined}
        title={t("list.sortHint")}
        onClick={({ shiftKey }) => onSort(field.name, shiftKey)}
      >
        {field.verbose_name}
        {direction === "desc" ? <CaretDownFilled {...DECORATIVE} /> : <CaretUpFilled {...DECORATIVE} />}
        {sorts.length > 1 && direction && <SortPlace place={place + 1} direction={direction} />}
      </button>
    </th>
  );
}

interface TableHeadProps {
  columns: readonly FieldInfo[];
  sorts: readonly QuerySort[];
  onSort: (field: string, isAlso: boolean) => void;
  /** Undefined: rows can't be selected. */
  page: PageBoxProps | undefined;
  hasActions: boolean;
}

export function TableHead({ columns, sorts, onSort, page, hasActions }: TableHeadProps) {
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
          <HeadCell key={field.name} field={field} isFirst={index === 0} sorts={sorts} onSort={onSort} />
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
