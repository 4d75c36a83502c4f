import type { ModelRecord } from "#contract/content/models.ts";
import type { Actor, Reader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import type { Field, Model } from "#server/models/model.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import { rowRuleSql } from "#server/models/row-sql.ts";
import type { ModelView } from "../records/access.ts";
import { etagSql } from "../records/record.ts";
import { ALIAS, createParameters, fromSql, recordSql } from "../records/record-sql.ts";
import { auditedSql, isStored, jsonObjectSql } from "./changes-sql.ts";
import {
  columnSql,
  differsSql,
  forbiddenReasons,
  type Reason,
  type Refusal,
  stateSql,
  toVerdict,
  unchangedReason,
  type Values,
  type Verdict,
  valueSql,
} from "./write-sql.ts";

/**
 * Rows that can't be written by one statement: they have relations to many, or a subject writes them. Each function runs
 * inside the caller's transaction, writes the row and its audit entry, and leaves the notice to the caller.
 */
export interface StepsWrite<Own extends Refusal> {
  view: ModelView;
  reader: Reader;
  actor: Actor;
  /** Its `prepare` and `committed` are the caller's to call. */
  writer: RecordWriter | undefined;
  detail?: string | null;
  /** Reasons to leave the row alone: SQL over `alias`, the row as it is now; the first that holds is its verdict. */
  refuse?: (alias: string, add: (value: unknown) => string) => readonly Reason<Own>[];
}

/** A row with all that a write in steps asks of it. */
export interface RowState<Own extends Refusal> {
  record: ModelRecord;
  etag: string;
  verdict: Verdict<Own>;
  /** Values as the audit keeps them; of secrets, a digest that tells whether they changed. */
  values: Record<string, unknown>;
  digests: Record<string, unknown>;
}

type Row = ModelRecord & {
  "@etag": string;
  "@state": string;
  "@values": Record<string, unknown>;
  "@digests": Record<string, unknown>;
};

/** What is to happen with the row, which decides its verdict. */
export interface Question {
  operation?: "update" | "delete";
  values?: Values;
}

function toReasons<Own extends Refusal>(
  { view, reader, refuse }: StepsWrite<Own>,
  { operation, values }: Question,
  add: (value: unknown) => string,
): Reason<Own>[] {
  const reasons: Reason<Own>[] = operation
    ? [...forbiddenReasons(view.model, operation, ALIAS, reader, add), ...(refuse?.(ALIAS, add) ?? [])]
    : [];
  if (values) {
    const differs = Array.from(values, ([field, value]) =>
      differsSql(field, ALIAS, valueSql(field, value, add)),
    );
    reasons.push(unchangedReason(differs));
  }
  return reasons;
}

/** Reads a row that the caller has locked in a statement before, so that also what stands beside the row is seen as it is now. */
export async function readRow<Own extends Refusal>(
  db: Queryable,
  write: StepsWrite<Own>,
  id: number,
  question: Question,
): Promise<RowState<Own> | undefined> {
  const { view, reader } = write;
  const { add, values: parameters } = createParameters();
  const stored = view.model.fields.filter(isStored);
  const audited = stored.map((field) => [field.name, auditedSql(field, reader, ALIAS)] as const);
  const digests = stored
    .filter((field) => field.isSecret)
    .map((field) => [field.name, `md5(${field.sql(ALIAS)}::text)`] as const);
  const reasons = toReasons(write, question, add);
  // What has just been written is the writer's to see, whatever the rule says of it now.
  const rule = question.operation && rowRuleSql(view.model, "view", ALIAS, reader, add);
  const { rows } = await db.query<Row>(
    `SELECT ${recordSql(view, reader)}, ${etagSql(view, ALIAS)} AS "@etag", ${stateSql(reasons)} AS "@state",
       ${jsonObjectSql(audited)} AS "@values", ${jsonObjectSql(digests)} AS "@digests"
     ${fromSql(view.model)} WHERE ${ALIAS}.id = ${add(id)}::bigint${rule ? ` AND ${rule}` : ""}`,
    parameters,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { "@etag": etag, "@state": state, "@values": values, "@digests": digest, ...record } = row;
  return { record, etag, verdict: toVerdict(state, reasons), values, digests: digest };
}

/** The row after a write. */
export async function requireRow<Own extends Refusal>(
  db: Queryable,
  write: StepsWrite<Own>,
  id: number,
): Promise<RowState<Own>> {
  const row = await readRow(db, write, id, {});
  if (!row) throw new AppError("internal");
  return row;
}

/** First of all: what is read behind it is the row as it stays. */
export async function lockRow(db: Queryable, model: Model, id: number): Promise<void> {
  await db.query(`SELECT ${fromSql(model)} WHERE ${ALIAS}.id = $1::bigint FOR UPDATE`, [id]);
}

async function writeLinks(db: Queryable, id: number, values: Values): Promise<void> {
  for (const [field, value] of values) {
    if (!field.through) continue;
    const [table, from, to] = [field.through.table, field.through.from, field.through.to].map(quoteName);
    const ids = value === null ? [] : field.kind.toParameter(value);
    await db.query(`DELETE FROM ${table} WHERE ${from} = $1 AND ${to} <> ALL($2::bigint[])`, [id, ids]);
    await db.query(
      `INSERT INTO ${table} (${from}, ${to}) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING`,
      [id, ids],
    );
  }
}

function toColumns(values: Values): [Field, unknown][] {
  return [...values].filter(([field]) => !field.through);
}

/** Inserts a row and its links to others. @returns its id. */
export async function insertRow(db: Queryable, model: Model, values: Values): Promise<number> {
  const { add, values: parameters } = createParameters();
  const columns = toColumns(values);
  const names = columns.map(([field]) => columnSql(field)).join(", ");
  const terms = columns.map(([field, value]) => valueSql(field, value, add)).join(", ");
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO ${quoteName(model.table)} ${names ? `(${names}) VALUES (${terms})` : "DEFAULT VALUES"} RETURNING id`,
    parameters,
  );
  const id = Number(rows[0]?.id);
  await writeLinks(db, id, values);
  return id;
}

/** Writes columns and links of a row. */
export async function changeRow(db: Queryable, model: Model, id: number, values: Values): Promise<void> {
  const { add, values: parameters } = createParameters();
  const terms = toColumns(values).map(
    ([field, value]) => `${columnSql(field)} = ${valueSql(field, value, add)}`,
  );
  if (model.hasTimestamps) terms.push("updated_at = clock_timestamp()");
  if (terms.length > 0)
    await db.query(
      `UPDATE ${quoteName(model.table)} SET ${terms.join(", ")} WHERE id = ${add(id)}`,
      parameters,
    );
  await writeLinks(db, id, values);
}

/** Deletes a row and its own links. */
export async function removeRow(db: Queryable, model: Model, id: number): Promise<void> {
  for (const { through } of model.fields) {
    if (through)
      await db.query(`DELETE FROM ${quoteName(through.table)} WHERE ${quoteName(through.from)} = $1`, [id]);
  }
  await db.query(`DELETE FROM ${quoteName(model.table)} WHERE id = $1`, [id]);
}
