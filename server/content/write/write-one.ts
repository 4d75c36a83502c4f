import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ModelRecord } from "#contract/content/models.ts";
import type { Actor, Reader } from "#server/base/actor.ts";
import { noticeSql } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { ModelView } from "../records/access.ts";
import { createParameters, idSql } from "../records/record-sql.ts";
import {
  deleteSql,
  insertSql,
  type Reason,
  type Refusal,
  type RowsWrite,
  toVerdict,
  updateSql,
  type Values,
  type Verdict,
} from "./write-sql.ts";

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

/** One row, written in one statement together with its audit entry and, where the model isn't large, the notice. */
export interface OneWrite<Own extends Refusal> {
  view: ModelView;
  reader: Reader;
  actor: Actor;
  /** As in `StepsWrite`. */
  refuse: (alias: string, add: (value: unknown) => string) => readonly Reason<Own>[];
}

/** What came of a write of one row, and the row as it is now. */
export interface WriteOutcome<Own extends Refusal> {
  verdict: Verdict<Own>;
  record: ModelRecord;
  etag: string;
}

type Row = ModelRecord & { "@state": string; "@etag": string; "@notice"?: unknown };

function toOutcome<Own extends Refusal>(
  row: Row | undefined,
  reasons: readonly Reason<Own>[],
): WriteOutcome<Own> | undefined {
  if (!row) return undefined;
  const { "@state": state, "@etag": etag, "@notice": _notice, ...record } = row;
  return { verdict: toVerdict(state, reasons), etag, record };
}

/** What both kinds of statement need; `b` is the locked row, as in `RowsWrite`. */
function toRowsWrite(
  { view, reader, actor }: Pick<OneWrite<never>, "view" | "reader" | "actor">,
  type: "created" | "updated" | "deleted",
  add: (value: unknown) => string,
): Omit<RowsWrite, "where"> {
  const notice = view.model.isLarge ? undefined : noticeSql(view.model.key, type, idSql(view.model));
  return { view, reader, actor, add, returning: "record", ...(notice && { notice }) };
}

const getStatementName = createStatementNames();

async function run<Own extends Refusal>(
  db: Queryable,
  text: string,
  values: unknown[],
  reasons: readonly Reason<Own>[],
): Promise<WriteOutcome<Own> | undefined> {
  const name = getStatementName(text);
  const { rows } = await db.query<Row>({ text, values, ...(name && { name }) });
  return toOutcome(rows[0], reasons);
}

export async function createOne(
  db: Queryable,
  write: Omit<OneWrite<never>, "refuse">,
  written: Values,
): Promise<WriteOutcome<never> | undefined> {
  const { add, values } = createParameters();
  return run(db, insertSql(toRowsWrite(write, "created", add), written), values, []);
}

export async function updateOne<Own extends Refusal>(
  db: Queryable,
  write: OneWrite<Own>,
  id: number,
  written: Values,
): Promise<WriteOutcome<Own> | undefined> {
  const { add, values } = createParameters();
  const rows = toRowsWrite(write, "updated", add);
  const where = `t.id = ${add(id)}::bigint`;
  const refusals = write.refuse("b", add);
  return run(db, updateSql({ ...rows, where, refusals }, written), values, refusals);
}

export async function deleteOne<Own extends Refusal>(
  db: Queryable,
  write: OneWrite<Own>,
  id: number,
): Promise<WriteOutcome<Own> | undefined> {
  const { add, values } = createParameters();
  const rows = toRowsWrite(write, "deleted", add);
  const where = `t.id = ${add(id)}::bigint`;
  const refusals = write.refuse("b", add);
  return run(db, deleteSql({ ...rows, where, refusals }), values, refusals);
}
