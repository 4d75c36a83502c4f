import { CloseOutlined } from "@ant-design/icons";
import { Button, Select } from "antd";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { FieldInfo, QuerySort } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../../ui/accessibility.ts";

/** The sorts that a list is in: the view's own, else the model's. */
export function toCurrentSorts(source: RecordSource, sorts: readonly QuerySort[]): readonly QuerySort[] {
  return sorts.length > 0 ? sorts : source.default_sort;
}

const flip = (direction: QuerySort["direction"]) => (direction === "asc" ? "desc" : "asc");

/** The list by one field alone: ascending first, and the other way where it is so already. */
export function sortBy(current: readonly QuerySort[], field: string): QuerySort[] {
  const [first] = current;
  return [{ field, direction: first?.field === field ? flip(first.direction) : "asc" }];
}

/**
 * A field beside the ones before it: ascending, descending, and gone again. A sort that is the only one stays. `current` itself
 * where there are as many as the server takes.
 */
export function sortAlsoBy(current: readonly QuerySort[], field: string): readonly QuerySort[] {
  const known = current.find((sort) => sort.field === field);
  if (!known)
    return current.length < ADMIN_LIMITS.sortsMax ? [...current, { field, direction: "asc" }] : current;
  if (known.direction === "desc" && current.length > 1) return current.filter((sort) => sort !== known);
  return current.map((sort) => (sort === known ? { field, direction: flip(sort.direction) } : sort));
}

interface SortSelectProps {
  source: RecordSource;
  sorts: readonly QuerySort[];
  onChange: (sorts: readonly QuerySort[]) => void;
}

const toOptions = (fields: readonly FieldInfo[]) =>
  fields.map(({ name, verbose_name }) => ({ value: name, label: verbose_name }));

function DirectionSelect({
  label,
  direction,
  onChange,
}: {
  label: string;
  /** Undefined: nothing is sorted. */
  direction: QuerySort["direction"] | undefined;
  onChange: (direction: QuerySort["direction"]) => void;
}) {
  const { t } = useTranslation();
  return (
    <Select
      aria-label={label}
      popupMatchSelectWidth={false}
      disabled={direction === undefined}
      value={direction ?? "asc"}
      options={(["asc", "desc"] as const).map((value) => ({ value, label: t(`list.direction.${value}`) }))}
      onChange={onChange}
    />
  );
}

/** The sort that decides first. */
function FirstSort({ source, sorts, onChange, fields }: SortSelectProps & { fields: readonly FieldInfo[] }) {
  const { t } = useTranslation();
  const id = useId();
  const [current] = toCurrentSorts(source, sorts);
  const others = sorts.slice(1);
  const setField = (field: string) => {
    if (field === "") onChange([]);
    else
      onChange([
        { field, direction: current?.direction ?? "asc" },
        ...others.filter((sort) => sort.field !== field),
      ]);
  };
  return (
    <span className="sort-select">
      <label htmlFor={`${id}-field`}>{t("list.sortBy")}</label>
      <Select
        id={`${id}-field`}
        className="sort-field"
        showSearch
        optionFilterProp="label"
        popupMatchSelectWidth={false}
        value={sorts[0]?.field ?? ""}
        options={[{ value: "", label: t("list.defaultOrder") }, ...toOptions(fields)]}
        onChange={setField}
      />
      <DirectionSelect
        label={t("list.order")}
        direction={current?.direction}
        onChange={(direction) => current && onChange([{ field: current.field, direction }, ...others])}
      />
    </span>
  );
}

/** What decides among rows that the sorts before leave equal. */
function NextSort({
  sort,
  name,
  onChange,
  onRemove,
}: {
  sort: QuerySort;
  name: string;
  onChange: (sort: QuerySort) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation();
  return (
    <li className="sort-select next-sort">
      <span className="next-sort-name">{t("list.thenByField", { field: name })}</span>
      <DirectionSelect
        label={t("list.orderOf", { field: name })}
        direction={sort.direction}
        onChange={(direction) => onChange({ ...sort, direction })}
      />
      <Button
        type="text"
        icon={<CloseOutlined {...DECORATIVE} />}
        aria-label={t("list.removeSort", { field: name })}
        onClick={onRemove}
      />
    </li>
  );
}

/** By which fields the rows are sorted, and in which order; the headers of the table say and do the same. */
export function SortSelect({ source, sorts, onChange }: SortSelectProps) {
  const { t } = useTranslation();
  const fields = source.fields.filter((field) => field.sortable);
  if (fields.length === 0) return null;
  const nameOf = (name: string) => source.fields.find((field) => field.name === name)?.verbose_name ?? name;
  const left = fields.filter(({ name }) => !sorts.some(({ field }) => field === name));
  const [first, ...others] = sorts;
  const canAdd = first !== undefined && left.length > 0 && sorts.length < ADMIN_LIMITS.sortsMax;
  return (
    <>
      <FirstSort source={source} sorts={sorts} onChange={onChange} fields={fields} />
      {others.length > 0 && (
        <ol className="next-sorts" aria-label={t("list.thenBy")}>
          {others.map((sort) => (
            <NextSort
              key={sort.field}
              sort={sort}
              name={nameOf(sort.field)}
              onChange={(next) => onChange(sorts.map((each) => (each === sort ? next : each)))}
              onRemove={() => onChange(sorts.filter((each) => each !== sort))}
            />
          ))}
        </ol>
      )}
      {canAdd && (
        <Select<string | null>
          className="add-sort"
          aria-label={t("list.thenBy")}
          showSearch
          optionFilterProp="label"
          popupMatchSelectWidth={false}
          placeholder={t("list.thenBy")}
          // It adds, and is empty again.
          value={null}
          options={toOptions(left)}
          onChange={(field) => field !== null && onChange([...sorts, { field, direction: "asc" }])}
        />
      )}
    </>
  );
}
