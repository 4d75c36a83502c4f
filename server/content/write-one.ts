import type { ModelRecord } from "#contract/models.ts";
import type { Actor, Reader } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { noticeSql } from "../db/change-notices.ts";
import { createParameters, idSql } from "./records/record-sql.ts";
import type { Reason } from "./state-sql.ts";
import type { ModelView } from "./view.ts";
import { createStatementNames } from "./write/write-one.ts";
import { deleteSql, insertSql, type RowsWrite, updateSql, type Values } from "./write/write-sql.ts";

/** One row, written in one statement together with its audit entry and, where the model isn't large, the notice. */
export interface OneWrite {
  view: ModelView;
  reader: Reader;
  actor: Actor;
  /** As in `StepsWrite`. */
  refuse: (alias: string, add: (value: unknown) => string) => readonly Reason[];
}

export interface OneOutcome {
  state: string;
  record: ModelRecord;
  etag: string;
}

type Row = ModelRecord & { "@state": string; "@etag": string; "@notice"?: unknown };

function toOutcome(row: Row | undefined): OneOutcome | undefined {
  if (!row) return undefined;
  const { "@state": state, "@etag": etag, "@notice": _notice, ...record } = row;
  return { state, etag, record };
}

/** What both kinds of statement need; `b` is the locked row, as in `RowsWrite`. */
function toRowsWrite(
  { view, reader, actor }: Pick<OneWrite, "view" | "reader" | "actor">,
  type: "created" | "updated" | "deleted",
  add: (value: unknown) => string,
): Omit<RowsWrite, "where"> {
  const notice = view.model.isLarge ? undefined : noticeSql(view.model.key, type, idSql(view.model));
  return { view, reader, actor, add, returning: "record", ...(notice && { notice }) };
}

const getStatementName = createStatementNames();

async function run(db: Queryable, text: string, values: unknown[]): Promise<OneOutcome | undefined> {
  const name = getStatementName(text);
  const { rows } = await db.query<Row>({ text, values, ...(name && { name }) });
  return toOutcome(rows[0]);
}

export async function createOne(
  db: Queryable,
  write: Omit<OneWrite, "refuse">,
  written: Values,
): Promise<OneOutcome | undefined> {
  const { add, values } = createParameters();
  return run(db, insertSql(toRowsWrite(write, "created", add), written), values);
}

export async function updateOne(
  db: Queryable,
  write: OneWrite,
  id: number,
  written: Values,
): Promise<OneOutcome | undefined> {
  const { add, values } = createParameters();
  const rows = toRowsWrite(write, "updated", add);
  const where = `t.id = ${add(id)}::bigint`;
  return run(db, updateSql({ ...rows, where, refusals: write.refuse("b", add) }, written), values);
}

export async function deleteOne(db: Queryable, write: OneWrite, id: number): Promise<OneOutcome | undefined> {
  const { add, values } = createParameters();
  const rows = toRowsWrite(write, "deleted", add);
  const where = `t.id = ${add(id)}::bigint`;
  return run(db, deleteSql({ ...rows, where, refusals: write.refuse("b", add) }), values);
}
