import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { ModelRecord } from "#contract/content/models.ts";
import type { Actor, Reader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { noticeSql } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withRetriedTransaction } from "#server/db/transaction.ts";
import type { AddParameter } from "#server/models/model.ts";
import type { ModelView } from "../records/access.ts";
import { etagSql } from "../records/record.ts";
import { ALIAS, createParameters, fromSql, idSql, recordSql } from "../records/record-sql.ts";
import {
  hasLinks,
  lockSql,
  type Reason,
  type Refusal,
  type Refuse,
  toVerdict,
  type Values,
  type Verdict,
} from "./judge-sql.ts";
import { deleteSql, insertSql, updateSql } from "./write-sql.ts";

/** A statement that comes once or twice is not worth a place: PostgreSQL keeps the named ones of each connection until it ends. */
const USES_BEFORE_NAME = 3;
const MAX_NAMES = 40;
const MAX_COUNTED = 500;

/**
 * Names for the texts of statements that come often. PostgreSQL parses and plans a named one once for each connection: for
 * writes by key that is more than half of their work. A search must have none: its plan depends on what is searched.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const uses = new LRUCache<string, number>({ max: MAX_COUNTED });
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_NAMES) return known;
    const count = (uses.get(text) ?? 0) + 1;
    uses.set(text, count);
    if (count <= USES_BEFORE_NAME) return undefined;
    uses.delete(text);
    const name = `write_${createHash("md5").update(text).digest("hex")}`;
    names.set(text, name);
    return name;
  };
}

/** A write of one row, by whichever way its model takes. */
export interface OneWrite<Own extends Refusal> {
  view: ModelView;
  reader: Reader;
  actor: Actor;
  operation: "create" | "update" | "delete";
  /** Of a row that is there. */
  id: number;
  values: Values;
  /** Reasons to leave the row alone. A new row has none. */
  refuse: Refuse<Own>;
}

/** What came of a write of one row, and the row as it is now. */
export interface WriteOutcome<Own extends Refusal> {
  verdict: Verdict<Own>;
  record: ModelRecord;
  etag: string;
}

/** What the notice of a write says. */
export const NOTICES = { create: "created", update: "updated", delete: "deleted" } as const;

const getStatementName = createStatementNames();

/** The rows of a statement that is likely to come again: a write by key of a model that needs no writer. */
async function queryNamed<Row extends object>(
  db: Queryable,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const name = getStatementName(text);
  return (await db.query<Row>({ text, values, ...(name && { name }) })).rows;
}

type Row = ModelRecord & { "@state": string; "@etag": string; "@notice"?: unknown };

function toStatement<Own extends Refusal>(
  { view, reader, actor, operation, id, values, refuse }: OneWrite<Own>,
  add: AddParameter,
): { text: string; reasons: readonly Reason<Own>[] } {
  const { model } = view;
  const notice = model.isLarge ? {} : { notice: noticeSql(model.key, NOTICES[operation], idSql(model)) };
  const write = { view, reader, actor, add, returning: "record", ...notice } as const;
  if (operation === "create") return { text: insertSql(write, values), reasons: [] };
  const where = `${ALIAS}.id = ${add(id)}::bigint`;
  const reasons = refuse("b", add);
  const rows = { ...write, where, refusals: reasons };
  return { text: operation === "update" ? updateSql(rows, values) : deleteSql(rows), reasons };
}

/** One statement for the row, its audit entry and, where the model isn't large, the notice. */
async function writeRow<Own extends Refusal>(
  db: Queryable,
  write: OneWrite<Own>,
): Promise<WriteOutcome<Own> | undefined> {
  const { add, values } = createParameters();
  const { text, reasons } = toStatement(write, add);
  const [row] = await queryNamed<Row>(db, text, values);
  if (!row) return undefined;
  const { "@state": state, "@etag": etag, "@notice": _notice, ...record } = row;
  return { verdict: toVerdict(state, reasons), etag, record };
}

/** The row as it is, for the person who wrote it, whatever the row rules now say. */
async function readWritten(
  db: Queryable,
  { view, reader }: Pick<OneWrite<never>, "view" | "reader">,
  id: number,
): Promise<Omit<WriteOutcome<never>, "verdict">> {
  const [row] = await queryNamed<ModelRecord & { "@etag": string }>(
    db,
    `SELECT ${recordSql(view, reader)}, ${etagSql(view, ALIAS)} AS "@etag" ${fromSql(view.model)} WHERE ${ALIAS}.id = $1::bigint`,
    [id],
  );
  if (!row) throw new AppError("internal");
  const { "@etag": etag, ...record } = row;
  return { record, etag };
}

/**
 * Writes one row with its audit entry and notice; undefined where there is none that the reader meets. One statement; where rows
 * have links, one before it locks the row, and one behind it reads the links that it wrote.
 */
export async function writeOne<Own extends Refusal>(
  pool: pg.Pool,
  write: OneWrite<Own>,
): Promise<WriteOutcome<Own> | undefined> {
  const { view, operation, id } = write;
  if (!hasLinks(view.model)) return writeRow(pool, write);
  return withRetriedTransaction(pool, async (client) => {
    if (operation !== "create") await client.query(lockSql(view.model, operation), [id]);
    const outcome = await writeRow(client, write);
    if (outcome?.verdict.type !== "written" || operation === "delete") return outcome;
    return { ...outcome, ...(await readWritten(client, write, outcome.record.id)) };
  });
}
