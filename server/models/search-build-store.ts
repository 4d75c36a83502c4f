import type pg from "pg";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "../db/sql.ts";
import { searchExpressionSql } from "./filter-sql.ts";
import type { Model } from "./model.ts";

/** How far the column of a table is. */
export interface BuildState {
  expression: string;
  lastId: number;
  isReady: boolean;
}

/** First of the two numbers of the advisory lock under which one process builds a table's column. */
const BUILD_LOCK = 4_701_925;
/** Behind a statement that waits for a table, all others wait: better to try again. */
const LOCK_TIMEOUT = "2s";
/** Of the values that `pg` takes; about 25 days. */
const NO_TIMEOUT_MS = 2_147_483_647;

/** Names that a build gives: one function, trigger and index a table. */
function toNames({ table }: Model) {
  return {
    table: quoteName(table),
    hook: quoteName(`foyer_search_${table}`),
    index: `${table}_search_trgm`,
  };
}

/** A statement that may take as long as it takes, on a connection of a pool that ends long ones. */
async function runLong<Row extends pg.QueryResultRow>(
  db: Queryable,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult<Row>> {
  // `pg` takes it with each statement; its types know it only of connections.
  const statement = { text, values, query_timeout: NO_TIMEOUT_MS };
  return db.query<Row>(statement);
}

/** Takes the lock for the session of this connection, unless another process has it. */
export async function tryLock(db: Queryable, { table }: Model): Promise<boolean> {
  const { rows } = await db.query<{ is_mine: boolean }>(
    "SELECT pg_try_advisory_lock($1, hashtext($2)) AS is_mine",
    [BUILD_LOCK, table],
  );
  return rows[0]?.is_mine === true;
}

export async function selectState(db: Queryable, { table }: Model): Promise<BuildState | undefined> {
  const { rows } = await db.query<{ expression: string; last_id: string; is_ready: boolean }>(
    "SELECT expression, last_id, is_ready FROM search_build WHERE table_name = $1",
    [table],
  );
  const [row] = rows;
  return row && { expression: row.expression, lastId: Number(row.last_id), isReady: row.is_ready };
}

/** What marks an expression: the same text, the same column. */
export function toBuildExpression(model: Model): string {
  return searchExpressionSql(model, "NEW");
}

/** Whether the table has more rows than one transaction should fill: by PostgreSQL's estimate, else by counting that far. */
export async function hasMoreRows(db: Queryable, model: Model, limit: number): Promise<boolean> {
  const { table } = toNames(model);
  const { rows } = await db.query<{ estimate: number }>(
    "SELECT reltuples AS estimate FROM pg_class WHERE oid = $1::regclass",
    [table],
  );
  if ((rows[0]?.estimate ?? -1) > limit) return true;
  const { rowCount } = await db.query(`SELECT FROM ${table} OFFSET $1 LIMIT 1`, [limit]);
  return rowCount === 1;
}

/** Columns whose change changes the text; a computed field may read any of them. */
function toWatched(model: Model): string {
  const columns = model.searchFields.map((name) => model.fieldByName.get(name)?.column ?? null);
  return columns.includes(null) ? "" : ` OF ${columns.map((column) => quoteName(column ?? "")).join(", ")}`;
}

/**
 * Puts an empty column on the table and a trigger that fills it from now on, and begins the count anew. A column of another
 * expression goes, with its index. Inside the caller's transaction.
 */
export async function beginBuild(db: Queryable, model: Model): Promise<void> {
  const { table, hook } = toNames(model);
  const expression = toBuildExpression(model);
  await db.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  await db.query(`ALTER TABLE ${table} DROP COLUMN IF EXISTS search, ADD COLUMN search text`);
  await db.query(
    `CREATE OR REPLACE FUNCTION ${hook}() RETURNS trigger LANGUAGE plpgsql AS $hook$
     BEGIN NEW.search := ${expression}; RETURN NEW; END $hook$`,
  );
  await db.query(`DROP TRIGGER IF EXISTS ${hook} ON ${table}`);
  await db.query(
    `CREATE TRIGGER ${hook} BEFORE INSERT OR UPDATE${toWatched(model)} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${hook}()`,
  );
  await db.query(
    `INSERT INTO search_build (table_name, expression) VALUES ($1, $2)
     ON CONFLICT (table_name) DO UPDATE SET expression = $2, last_id = 0, is_ready = false`,
    [model.table, expression],
  );
}

/** Whether column and trigger are there: a restored or hand-mended database may have the row of `search_build` alone. */
export async function hasColumnAndTrigger(db: Queryable, model: Model): Promise<boolean> {
  const { rowCount } = await db.query(
    `SELECT FROM pg_attribute a JOIN pg_trigger g ON g.tgrelid = a.attrelid AND g.tgname = 'foyer_search_' || $2 AND g.tgenabled <> 'D'
     WHERE a.attrelid = $1::regclass AND a.attname = 'search' AND NOT a.attisdropped`,
    [toNames(model).table, model.table],
  );
  return (rowCount ?? 0) > 0;
}

/** Fills up to `limit` rows behind the last filled one, inside the caller's transaction. Gives the new last id; undefined at the end. */
export async function fillBatch(
  db: Queryable,
  model: Model,
  after: number,
  limit: number,
): Promise<number | undefined> {
  const { table } = toNames(model);
  const { rows } = await runLong<{ last: string | null }>(
    db,
    `WITH batch AS MATERIALIZED (SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT $2),
     filled AS (UPDATE ${table} t SET search = ${searchExpressionSql(model, "t")}
                FROM batch WHERE t.id = batch.id AND t.search IS NULL)
     SELECT max(id)::text AS last FROM batch`,
    [after, limit],
  );
  const last = rows[0]?.last ?? null;
  if (last === null) return undefined;
  await db.query("UPDATE search_build SET last_id = $2 WHERE table_name = $1", [model.table, last]);
  return Number(last);
}

/** Fills what has no text yet, all at once: of a small table. */
export async function fillAll(db: Queryable, model: Model): Promise<void> {
  const { table } = toNames(model);
  await runLong(db, `UPDATE ${table} t SET search = ${searchExpressionSql(model, "t")} WHERE search IS NULL`);
}

/** Whether a row was passed over and has no text yet. */
export async function hasGap(db: Queryable, model: Model): Promise<boolean> {
  const { rowCount } = await runLong(db, `SELECT FROM ${toNames(model).table} WHERE search IS NULL LIMIT 1`);
  return rowCount === 1;
}

async function readIndex(db: Queryable, name: string): Promise<"missing" | "invalid" | "valid"> {
  const { rows } = await db.query<{ is_valid: boolean }>(
    "SELECT indisvalid AS is_valid FROM pg_index WHERE indexrelid = to_regclass($1)",
    [quoteName(name)],
  );
  if (!rows[0]) return "missing";
  return rows[0].is_valid ? "valid" : "invalid";
}

/** Builds the index, inside a transaction or, `CONCURRENTLY`, outside of one. What a crash left of one is dropped first. */
export async function buildIndex(db: Queryable, model: Model, mode: "" | "CONCURRENTLY"): Promise<void> {
  const { table, index } = toNames(model);
  const found = await readIndex(db, index);
  if (found === "valid") return;
  if (found === "invalid") await runLong(db, `DROP INDEX ${mode} ${quoteName(index)}`);
  await runLong(db, `CREATE INDEX ${mode} ${quoteName(index)} ON ${table} USING gin (search gin_trgm_ops)`);
}

/** Planning knows nothing of a column before. */
export async function analyzeColumn(db: Queryable, model: Model): Promise<void> {
  await runLong(db, `ANALYZE ${toNames(model).table} (search)`);
}

export async function markBuilt(db: Queryable, { table }: Model): Promise<void> {
  await db.query("UPDATE search_build SET is_ready = true WHERE table_name = $1", [table]);
}
