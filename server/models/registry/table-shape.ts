import { is, SQL } from "drizzle-orm";
import { type PgColumn, PgDialect } from "drizzle-orm/pg-core";
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
