import type { ModelRecord } from "#contract/content/models.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import type { AddParameter } from "#server/models/model.ts";
import type { RecordWriter, WriteNote } from "#server/models/record-writer.ts";
import { rowRuleSql } from "#server/models/row-sql.ts";
import { etagSql } from "../records/record.ts";
import { ALIAS, createParameters, fromSql, recordSql } from "../records/record-sql.ts";
import {
  auditSql,
  changedSql,
  type Entries,
  listChangeable,
  rememberSql,
  toRememberedState,
  toRowState,
} from "./audit-sql.ts";
import {
  forbiddenReasons,
  lockSql,
  type Reason,
  type Refusal,
  stateSql,
  toTerms,
  toVerdict,
  unchangedReason,
  type Values,
} from "./judge-sql.ts";
import type { OneWrite, WriteOutcome } from "./write-one.ts";

/** A write of a row that a subject writes. Its `prepare` and `committed` are the caller's to call. */
export interface WriterWrite<Own extends Refusal> extends OneWrite<Own> {
  writer: RecordWriter;
  /** Of the entry, where the writer says none. */
  detail?: string;
}

export interface WriterOutcome<Own extends Refusal> extends WriteOutcome<Own> {
  /** What the writer wants done after commit. */
  afterCommit?: (() => Promise<void>) | undefined;
  /** Of a change: the row as it was. */
  before?: ModelRecord;
}

/** The locked row and its verdict; `remembered`: as the entry needs it once the writer has been there. */
interface JudgedRow<Own extends Refusal> extends WriteOutcome<Own> {
  remembered: string;
}

type Row = ModelRecord & { "@etag": string };

/** Checked values by the names of their fields, as a `RecordWriter` takes them. */
export function toNamed(values: Values): Map<string, unknown> {
  return new Map([...values].map(([field, value]) => [field.name, value]));
}

/** Locks a row and says what is to become of it; undefined where there is none that the reader meets. */
async function judgeRow<Own extends Refusal>(
  db: Queryable,
  { view, reader, id, values: written, refuse }: WriterWrite<Own>,
  operation: "update" | "delete",
): Promise<JudgedRow<Own> | undefined> {
  const { model } = view;
  await db.query(lockSql(model, "delete"), [id]);
  const { add, values } = createParameters();
  const reasons: Reason<Own>[] = [
    ...forbiddenReasons(model, operation, ALIAS, reader, add),
    ...refuse(ALIAS, add),
  ];
  if (operation === "update") reasons.push(unchangedReason(toTerms(written, add), ALIAS));
  const rule = rowRuleSql(model, "view", ALIAS, reader, add);
  const { rows } = await db.query<Row & { "@state": string; "@remembered": string }>(
    `SELECT ${recordSql(view, reader)}, ${etagSql(view, ALIAS)} AS "@etag", ${stateSql(reasons)} AS "@state",
       ${rememberSql(model, ALIAS, reader)}::text AS "@remembered"
     ${fromSql(model)} WHERE ${ALIAS}.id = ${add(id)}::bigint${rule ? ` AND ${rule}` : ""}`,
    values,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { "@etag": etag, "@state": state, "@remembered": remembered, ...record } = row;
  return { record, etag, verdict: toVerdict(state, reasons), remembered };
}

/** What the writer's note says of the entry; the row's own name stands where it says none. */
function toNoted({ view, reader, actor, detail }: WriterWrite<Refusal>, note: WriteNote | undefined) {
  const { pseudonym } = note ?? {};
  const who = { view, reader, actor, detail: note?.detail ?? detail ?? null };
  return { who, named: pseudonym === undefined ? {} : { name: pseudonym, isForgotten: true } };
}

/**
 * The entry of a row that its writer has written, and the row as it is now, whatever the row rules say of it: a row in which
 * nothing changed has none. `toEntries`: SQL of the entry.
 */
async function auditWritten<Own extends Refusal>(
  db: Queryable,
  write: WriterWrite<Own>,
  id: number,
  note: WriteNote | undefined,
  toEntries: (add: AddParameter) => Entries,
): Promise<WriterOutcome<Own>> {
  const { view, reader } = write;
  const { add, values } = createParameters();
  const { who, named } = toNoted(write, note);
  const { rows } = await db.query<Row & { "@is_changed": boolean }>(
    `WITH audited AS (${auditSql({ ...who, add }, { ...toEntries(add), ...named })} RETURNING 1)
     SELECT ${recordSql(view, reader)}, ${etagSql(view, ALIAS)} AS "@etag", EXISTS (SELECT FROM audited) AS "@is_changed"
     ${fromSql(view.model)} WHERE ${ALIAS}.id = ${add(id)}::bigint`,
    values,
  );
  const [row] = rows;
  if (!row) throw new AppError("internal");
  const { "@etag": etag, "@is_changed": isChanged, ...record } = row;
  const verdict = { type: isChanged ? "written" : "unchanged" } as const;
  return { verdict, record, etag, afterCommit: note?.afterCommit };
}

async function create<Own extends Refusal>(db: Queryable, write: WriterWrite<Own>) {
  const { view, reader, actor, writer, values } = write;
  const made = await writer.create(db, toNamed(values), actor);
  return auditWritten(db, write, made.id, made, (add) => ({
    action: "CREATE",
    from: `${quoteName(view.model.table)} a WHERE a.id = ${add(made.id)}::bigint`,
    after: toRowState("a", reader),
  }));
}

async function update<Own extends Refusal>(db: Queryable, write: WriterWrite<Own>) {
  const { view, reader, actor, writer, id, values } = write;
  const { model } = view;
  const judged = await judgeRow(db, write, "update");
  if (judged?.verdict.type !== "written") return judged;
  const note = await writer.update(db, id, toNamed(values), actor);
  const written = await auditWritten(db, write, id, note, (add) => {
    const { state: before, from } = toRememberedState(model, "b", `${add(judged.remembered)}::jsonb`);
    const after = toRowState("a", reader);
    const fields = listChangeable(model);
    const changed = fields.map((field) => changedSql(field, before, after)).join(" OR ");
    const rows = `${from} JOIN ${quoteName(model.table)} a ON a.id = b.id WHERE ${changed || "false"}`;
    return { action: "UPDATE", from: rows, before, after, fields };
  });
  return { ...written, before: judged.record };
}

async function remove<Own extends Refusal>(db: Queryable, write: WriterWrite<Own>) {
  const { view, actor, writer, id } = write;
  const judged = await judgeRow(db, write, "delete");
  if (judged?.verdict.type !== "written") return judged;
  const note = await writer.delete(db, id, actor);
  const { add, values } = createParameters();
  const { who, named } = toNoted(write, note);
  const { state: before, from } = toRememberedState(view.model, "b", `${add(judged.remembered)}::jsonb`);
  const entries = { action: "DELETE", from, before, name: judged.record.repr, ...named } as const;
  await db.query(auditSql({ ...who, add }, entries), values);
  return { ...judged, afterCommit: note?.afterCommit };
}

/**
 * Writes one row by its subject's writer, with its audit entry, inside the caller's transaction; the notice is the caller's.
 * Undefined where there is no row that the reader meets.
 */
export function writeByWriter<Own extends Refusal>(
  db: Queryable,
  write: WriterWrite<Own>,
): Promise<WriterOutcome<Own> | undefined> {
  switch (write.operation) {
    case "create":
      return create(db, write);
    case "update":
      return update(db, write);
    case "delete":
      return remove(db, write);
  }
}
