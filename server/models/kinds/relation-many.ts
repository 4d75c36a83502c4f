import * as z from "zod/mini";
import { quoteName } from "../../db/sql.ts";
import type { Field, FieldKind } from "../model.ts";
import { relatedReprSql, requireRelated } from "../row-sql.ts";
import { parseBigInteger } from "./big-integer.ts";
import { parseInteger } from "./integer.ts";

const MAX_RELATED = 1000;

/** `FROM link m … WHERE` the rows that belong to the one whose id is `column`. */
function linkSql(column: string, field: Field, join = ""): string {
  if (!field.through) throw new Error(`${field.name}: a relation to many without its table`);
  const { table, from } = field.through;
  return `FROM ${quoteName(table)} m ${join} WHERE m.${quoteName(from)} = ${column}`;
}

function linkedSql(column: string, field: Field): string {
  const related = quoteName(requireRelated(field).table);
  return linkSql(column, field, `JOIN ${related} r ON r.id = ${toSql(field)}`);
}

function toSql(field: Field): string {
  return `m.${quoteName(field.through?.to ?? "")}`;
}

function readLinks(column: string, field: Field, itemSql: string): string {
  return `coalesce((SELECT json_agg(${itemSql} ORDER BY r.id) ${linkedSql(column, field)}), '[]'::json)`;
}

/** Several rows of another model: written as their ids, read as `{ id, repr }` in the order of ids. */
export const kind: FieldKind = {
  name: "relation_many",
  wireType: "ManyToManyField",
  control: "relations",
  columnTypes: [],
  relates: "many",
  operators: ["exact", "in", "isnull"],
  isSortable: false,
  findFault({ related, through }) {
    if (!related) return "a relation says which model it points to";
    return through?.table && through.from && through.to
      ? undefined
      : "a relation to many says its table: { table, from, to }";
  },
  valueSchema: () =>
    z.pipe(
      z.array(z.int().check(z.minimum(1))).check(z.maxLength(MAX_RELATED)),
      z.transform((ids) => [...new Set(ids)].sort((a, b) => a - b)),
    ),
  isEmpty: (value) => Array.isArray(value) && value.length === 0,
  toParameter: (value) => value,
  parameterCast: "::bigint[]",
  readSql: (column, field, reader) =>
    readLinks(column, field, `json_build_object('id', r.id, 'repr', ${relatedReprSql(field, "r", reader)})`),
  textSql: () => "NULL::text",
  sortSql: (column) => column,
  filterSql(column, operator, value, add, field) {
    const links = linkSql(column, field);
    if (operator === "isnull") return `${value === "true" ? "NOT " : ""}EXISTS (SELECT ${links})`;
    const isBig = requireRelated(field).idType === "bigint";
    const ids = [value].flat().map(isBig ? parseBigInteger : parseInteger);
    if (ids.includes(undefined)) return undefined;
    const cast = isBig ? "bigint" : "integer";
    return `EXISTS (SELECT ${links} AND ${toSql(field)} = ANY(${add(ids)}::${cast}[]))`;
  },
  exportColumns: (column, field, reader) => [
    {
      header: field.name,
      sql: `(SELECT string_agg(${toSql(field)}::text, ';' ORDER BY ${toSql(field)}) ${linkSql(column, field)})`,
      free: false,
    },
    {
      header: `${field.name}_repr`,
      sql: `(SELECT string_agg(${relatedReprSql(field, "r", reader)}, '; ' ORDER BY r.id) ${linkedSql(column, field)})`,
      free: true,
    },
  ],
};
