import { is, SQL } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import { toLiteral } from "../../db/sql.ts";

const dialect = new PgDialect();

/** SQL of the value that a column gets when none is written; null: it has no default. Unlike `DEFAULT` it can be compared with. */
export function toDefaultSql(column: PgColumn | undefined): string | null {
  const value: unknown = column?.default;
  if (!column || value === undefined || value === null) return null;
  if (is(value, SQL)) return dialect.sqlToQuery(value).sql;
  const type = column.getSQLType();
  return `${toLiteral(type === "jsonb" ? JSON.stringify(value) : value)}::${type}`;
}

/** One term of an index: the SQL of a column or expression without its table, and how it is ordered. */
export interface IndexTerm {
  sql: string;
  isDescending: boolean;
  nulls: "first" | "last";
}

export interface TableIndex {
  method: string;
  /** Holds every row: it has no condition. */
  isWhole: boolean;
  isUnique: boolean;
  terms: readonly IndexTerm[];
  opClasses: readonly (string | undefined)[];
}

/** What the registry looks at in a Drizzle table. */
export interface TableShape {
  name: string;
  columns: ReadonlyMap<string, PgColumn>;
  indexes: readonly TableIndex[];
  /** The expression of the generated `search` column. */
  searchSql: string | undefined;
}

function ascending(column: PgColumn): IndexTerm {
  return { sql: `"${column.name}"`, isDescending: false, nulls: "last" };
}

type GivenTerm = ReturnType<typeof getTableConfig>["indexes"][number]["config"]["columns"][number];

/** How a column stands in an index; an expression says all of it itself. */
function getTermConfig(given: GivenTerm) {
  return "indexConfig" in given ? given.indexConfig : undefined;
}

/** How an expression says that it goes down. */
const DESCENDING_EXPRESSION = / desc nulls last$/i;

function toTerm(given: GivenTerm, table: string): IndexTerm {
  if (is(given, SQL)) {
    const text = dialect.sqlToQuery(given).sql.replaceAll(`"${table}".`, "");
    const sql = text.replace(DESCENDING_EXPRESSION, "");
    return { sql, isDescending: sql !== text, nulls: "last" };
  }
  const { order, nulls = "last" } = getTermConfig(given) ?? {};
  return { sql: "name" in given ? `"${given.name}"` : "", isDescending: order === "desc", nulls };
}

function toUnique(columns: readonly PgColumn[]): TableIndex {
  return { method: "btree", isWhole: true, isUnique: true, terms: columns.map(ascending), opClasses: [] };
}

/** Reads columns and indexes, keys among them, out of a Drizzle table. */
export function readTableShape(table: PgTable): TableShape {
  const { name, columns, indexes, primaryKeys, uniqueConstraints } = getTableConfig(table);
  const search = columns.find((column) => column.name === "search")?.generated?.as;
  return {
    name,
    columns: new Map(columns.map((column) => [column.name, column])),
    indexes: [
      ...columns.filter((column) => column.primary).map((column) => toUnique([column])),
      ...[...primaryKeys, ...uniqueConstraints].map((key) => toUnique(key.columns)),
      ...indexes.map(({ config }) => ({
        method: config.method ?? "btree",
        isWhole: config.where === undefined,
        isUnique: config.unique,
        terms: config.columns.map((term) => toTerm(term, name)),
        opClasses: config.columns.map((term) => getTermConfig(term)?.opClass),
      })),
    ],
    searchSql: is(search, SQL) ? dialect.sqlToQuery(search).sql : undefined,
  };
}
