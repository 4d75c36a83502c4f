import { quoteName } from "../../db/sql.ts";
import type { FieldKind } from "../model.ts";
import { relatedReprSql, relatedSql, requireRelated } from "../row-sql.ts";
import { kind as integer } from "./integer.ts";

/** A row of another model: written as its id, read as `{ id, repr }`. Filters and sorts go by the id. */
export const kind: FieldKind = {
  ...integer,
  name: "relation",
  wireType: "ForeignKey",
  control: "relation",
  relates: "one",
  operators: ["exact", "in", "isnull"],
  findFault: ({ related }) => (related ? undefined : "a relation says which model it points to"),
  readSql: relatedSql,
  exportColumns: (column, field, reader) => [
    { header: field.name, sql: `${column}::text`, free: false, cell: "number" },
    {
      header: `${field.name}_repr`,
      sql: `(SELECT ${relatedReprSql(field, "r", reader)} FROM ${quoteName(requireRelated(field).table)} r WHERE r.id = ${column})`,
      free: true,
    },
  ],
};
