import type pg from "pg";
import { quoteName } from "#server/db/sql.ts";
import type { Field, Model } from "#server/models/model.ts";

/** Tests fill whole tables with it, whatever their columns are. */
interface Column {
  name: string;
  type: string;
}

const WORDS = ["'çilek'", "'Işık'", "'isim'", "'İzmir'", "'ığdır'", "'Zebra'", "'şile'", "'ağaç'"];
/** About every 20th value is NULL, where it may be. */
const NULL_SHARE = 20;
/** A text that differs from row to row. */
const TEXT = `(ARRAY[${WORDS.join(", ")}])[1 + i % ${WORDS.length}] || ' ' || substr(md5(i::text), 1, 12)`;

/** SQL of row `i`'s value, by the type of its column. */
const VALUES: Readonly<Record<string, string>> = {
  text: TEXT,
  "text[]": "ARRAY['red']",
  integer: "(i * 7919::bigint % 100000)::integer",
  bigint: "i * 7919::bigint % 100000",
  smallint: "i % 100",
  boolean: "i % 3 = 0",
  jsonb: `jsonb_build_object('en', ${TEXT}, 'tr', ${TEXT})`,
  date: "'2020-01-01'::date + i % 2000",
  "timestamp with time zone":
    "'2026-06-01T00:00:00Z'::timestamptz + (i * 7919::bigint % 200000) * interval '1 minute'",
  uuid: "gen_random_uuid()",
};

function valueSql(column: Column, field: Field | undefined): string {
  const choices = field?.choices.map(({ value }) => `'${value}'`) ?? [];
  if (choices.length > 0 && column.type === "text")
    return `(ARRAY[${choices.join(", ")}])[1 + i % ${choices.length}]`;
  const value = VALUES[column.type] ?? (column.type.startsWith("numeric") ? "i % 1000" : undefined);
  if (!value) throw new Error(`${column.name}: no values for ${column.type}`);
  return field?.isNullable ? `CASE WHEN i % ${NULL_SHARE} > 0 THEN ${value} END` : value;
}

/** Columns that a row needs or that the model declares; neither the key nor what PostgreSQL generates. */
async function readColumns(client: pg.PoolClient, model: Model): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = '' AND attgenerated = ''
       AND (attname = ANY($2) OR (attnotnull AND NOT atthasdef))`,
    [model.table, model.fields.map((field) => field.column)],
  );
  return rows;
}

/** Indexes that no constraint needs, as statements that make them again. */
async function dropIndexes(client: pg.PoolClient, model: Model): Promise<string[]> {
  const { rows } = await client.query<{ name: string; sql: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS sql FROM pg_index
     WHERE indrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [model.table],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ sql }) => sql.replace(" ON ONLY ", " ON "));
}

/** Fills a model's table with rows, and has statistics made. Its indexes are those that it had. */
export async function seedMany(pool: pg.Pool, model: Model, count: number): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '512MB'");
    const indexes = await dropIndexes(client, model);
    const columns = await readColumns(client, model);
    const fields = new Map(model.fields.map((field) => [field.column, field]));
    const names = columns.map(({ name }) => quoteName(name)).join(", ");
    const values = columns.map((column) => valueSql(column, fields.get(column.name))).join(", ");
    await client.query(
      `INSERT INTO ${quoteName(model.table)} (${names}) SELECT ${values} FROM generate_series(1, ${count}) i`,
    );
    for (const index of indexes) await client.query(index);
    await client.query(`ANALYZE ${quoteName(model.table)}`);
  } finally {
    // Its settings are not for others.
    client.release(true);
  }
}
