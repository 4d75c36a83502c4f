import { DeleteOutlined } from "@ant-design/icons";
import { Button, type TableProps } from "antd";
import type { TFunction } from "i18next";
import type { ComponentType, ReactNode } from "react";
import { Link, type To } from "react-router";
import type { FieldInfo, ModelRecord, QuerySort } from "#contract/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../parts/decorative.ts";
import { Cell } from "../cell.tsx";

type Column = NonNullable<TableProps<ModelRecord>["columns"]>[number];

/** At most five columns, without those that every model has (specification B section 9). */
const COLUMNS_MAX = 5;
const COMMON_FIELDS = ["id", "created_at", "updated_at"];

function pickColumns(model: RecordSource): FieldInfo[] {
  const byName = new Map(model.fields.map((field) => [field.name, field]));
  const named = model.list_columns.flatMap((name) => byName.get(name) ?? []);
  const shown = named.length > 0 ? named : model.fields.filter(({ name }) => !COMMON_FIELDS.includes(name));
  return shown.slice(0, COLUMNS_MAX);
}

/** The sort that a list is in: the view's own, else the model's. */
function currentSorts(model: RecordSource, sorts: readonly QuerySort[]): readonly QuerySort[] {
  return sorts.length > 0 ? sorts : model.default_sort;
}

/** What draws a column's cells, by field. `isLinked`: inside of the link to the record already. */
export type RowCells = Readonly<
  Record<string, ComponentType<{ record: ModelRecord; value: unknown; isLinked: boolean }>>
>;

interface ColumnOptions {
  model: RecordSource;
  sorts: readonly QuerySort[];
  t: TFunction;
  /** Address of a record's form, with the list's query. */
  toForm: (record: ModelRecord) => { to: To; state: object };
  onDelete: (record: ModelRecord) => void;
  cells?: RowCells | undefined;
  rowActions?: ((record: ModelRecord) => ReactNode) | undefined;
}

function toSortOrder(field: FieldInfo, sorts: readonly QuerySort[]) {
  const [first] = sorts;
  if (first?.field !== field.name) return null;
  return first.direction === "asc" ? ("ascend" as const) : ("descend" as const);
}

const ONE_LINE_TYPES: readonly FieldInfo["type"][] = [
  "DateTimeField",
  "DateField",
  "PartialDateField",
  "BooleanField",
  "ColorField",
  "FileField",
  "ImageField",
];
const NUMBER_TYPES: readonly FieldInfo["type"][] = ["IntegerField", "BigIntegerField", "DecimalField"];

function toCellClass(field: FieldInfo): string {
  if (NUMBER_TYPES.includes(field.type)) return "number-cell";
  return ONE_LINE_TYPES.includes(field.type) ? "fixed-cell" : "text-cell";
}

function fieldColumn(field: FieldInfo, isFirst: boolean, options: ColumnOptions): Column {
  const { model, sorts, toForm, cells } = options;
  const OwnCell = cells?.[field.name];
  const draw = (value: unknown, record: ModelRecord, isLinked: boolean) =>
    OwnCell ? (
      <OwnCell record={record} value={value} isLinked={isLinked} />
    ) : (
      <Cell field={field} value={value} isLinked={isLinked} />
    );
  return {
    key: field.name,
    dataIndex: field.name,
    title: field.verbose_name,
    sorter: field.sortable,
    sortOrder: toSortOrder(field, currentSorts(model, sorts)),
    className: toCellClass(field),
    render(value: unknown, record) {
      if (!isFirst) return draw(value, record, false);
      const { to, state } = toForm(record);
      // A link for keyboards, screen readers and new tabs; a click anywhere on the row does the same.
      return (
        <Link to={to} state={state} onClick={(event) => event.stopPropagation()}>
          {draw(value, record, true)}
        </Link>
      );
    },
  };
}

export function buildColumns(options: ColumnOptions): Column[] {
  const { model, t, onDelete, rowActions } = options;
  const columns = pickColumns(model).map((field, index) => fieldColumn(field, index === 0, options));
  if (rowActions) {
    const title = <span className="visually-hidden">{t("list.actions")}</span>;
    const own: Column = {
      key: "actions",
      className: "actions-cell",
      title,
      render: (_, row) => rowActions(row),
    };
    return [...columns, own];
  }
  if (!model.permissions.delete) return columns;
  const actions: Column = {
    key: "actions",
    className: "actions-cell",
    title: <span className="visually-hidden">{t("list.actions")}</span>,
    render: (_value, record) => (
      <Button
        danger
        type="text"
        size="small"
        icon={<DeleteOutlined {...DECORATIVE} />}
        aria-label={t("list.deleteRow", { name: record.repr })}
        onClick={(event) => {
          event.stopPropagation();
          onDelete(record);
        }}
      />
    ),
  };
  return [...columns, actions];
}
