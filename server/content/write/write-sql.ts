import { quoteName } from "#server/db/sql.ts";
import { rowRuleSql, titleSql } from "#server/models/row-sql.ts";
import { etagSql } from "../records/record.ts";
import { ALIAS, idSql, recordSql } from "../records/record-sql.ts";
import { type AuditedWrite, auditSql, toRowState } from "./audit-sql.ts";
import {
  columnSql,
  forbiddenReasons,
  type Reason,
  type Refusal,
  stateSql,
  toTerms,
  unchangedReason,
  type Values,
  type WrittenTerm,
} from "./judge-sql.ts";

/** Which rows a statement writes, for whom. */
export interface RowsWrite extends AuditedWrite {
  /** SQL of a condition over `t`. Rows that the reader can't see are left out without a word. */
  where: string;
  /** At most this many, from the lowest id on. */
  limit?: number;
  /** Conditions over `b`, the locked row as it is now; the first that holds is its state. */
  refusals?: readonly Reason<Refusal>[];
  /** Their `updated_at` stays: what the rows say has not changed. */
  keepsMoment?: boolean;
  /** What comes back of each row: `{ id, repr, "@state" }`, or the whole record with `"@state"` and `"@etag"`. */
  returning: "summary" | "record";
  /** SQL over `t`, a written row, of something that is to happen with it; answered as `"@notice"`. */
  notice?: string;
}

/** A row of a statement's answer; names of fields never begin with `@`. */
export interface WrittenSummary {
  id: number;
  repr: string;
  /** Names the verdict: see `toVerdict`. */
  "@state": string;
}

/** The locked row before the write, and the row after it. */
const BEFORE = "b";
const AFTER = "a";

/** Locks the rows in the order of their ids, so that two writers never wait for each other, and says what is to become of each. */
function judgeSql(write: RowsWrite, lock: string, reasons: readonly Reason<Refusal>[]): string {
  const { view, reader, add, where, limit } = write;
  const rule = rowRuleSql(view.model, "view", ALIAS, reader, add);
  return `locked AS MATERIALIZED (
    SELECT ${ALIAS}.* FROM ${quoteName(view.model.table)} ${ALIAS}
    WHERE (${where})${rule ? ` AND ${rule}` : ""}
    ORDER BY ${ALIAS}.id${limit === undefined ? "" : ` LIMIT ${limit}`} ${lock} OF ${ALIAS}
  ), judged AS MATERIALIZED (SELECT ${BEFORE}.*, ${stateSql(reasons)} AS "@state" FROM locked ${BEFORE})`;
}

function resultSql(write: Pick<RowsWrite, "view" | "reader" | "returning" | "notice">): string {
  const { view, reader, returning, notice } = write;
  const values =
    returning === "record"
      ? `${recordSql(view, reader)}, ${etagSql(view, ALIAS)} AS "@etag"`
      : `${idSql(view.model)} AS id, ${titleSql(view.model, ALIAS, reader.lang)} AS repr`;
  const notified = notice ? `, CASE WHEN ${ALIAS}."@state" = 'written' THEN ${notice} END AS "@notice"` : "";
  return `${values}, ${ALIAS}."@state"${notified}`;
}

/** Parts of a statement that give rows the links of its terms, and no others; `rows` names what has their ids. */
function linksSql(terms: readonly WrittenTerm[], rows: string): string {
  const parts = terms.flatMap(({ field: { through }, sql }, index) => {
    if (!through) return [];
    const [table, from, to] = [through.table, through.from, through.to].map(quoteName);
    return [
      `, unlinked_${index} AS (DELETE FROM ${table} x USING ${rows} w WHERE x.${from} = w.id AND x.${to} <> ALL(${sql}))`,
      `, linked_${index} AS (INSERT INTO ${table} (${from}, ${to}) SELECT w.id, unnest(${sql}) FROM ${rows} w ON CONFLICT DO NOTHING)`,
    ];
  });
  return parts.join("");
}

/** SQL of the links that a statement writes, which it doesn't see itself. */
function toWrittenLinks(terms: readonly WrittenTerm[]) {
  return new Map(terms.filter(({ field }) => field.through).map(({ field, sql }) => [field, sql]));
}

/** One statement: a new row, its links and its audit entry. */
export function insertSql(write: Omit<RowsWrite, "where" | "limit" | "refusals">, values: Values): string {
  const { view, reader, add } = write;
  const terms = toTerms(values, add);
  const columns = terms.filter(({ field }) => !field.through);
  const names = columns.map(({ field }) => columnSql(field)).join(", ");
  const row = names ? `(${names}) VALUES (${columns.map(({ sql }) => sql).join(", ")})` : "DEFAULT VALUES";
  const audit = auditSql(write, {
    action: "CREATE",
    from: `made ${AFTER}`,
    after: toRowState(AFTER, reader, toWrittenLinks(terms)),
  });
  return `WITH made AS (INSERT INTO ${quoteName(view.model.table)} ${row} RETURNING *)${linksSql(terms, "made")}, audited AS (${audit})
    SELECT ${resultSql(write)} FROM (SELECT made.*, 'written' AS "@state" FROM made) ${ALIAS}`;
}

/** One statement: the same values for a set of rows. */
export function updateSql(write: RowsWrite, values: Values): string {
  return updateTermsSql(write, toTerms(values, write.add));
}

/**
 * One statement: values for a set of rows, an audit entry for each that they change, and what became of each.
 * A row that already has the values is left as it is.
 */
export function updateTermsSql(write: RowsWrite, terms: readonly WrittenTerm[]): string {
  const { view, reader, add, refusals = [] } = write;
  const { model } = view;
  const judged = judgeSql(write, "FOR NO KEY UPDATE", [
    ...forbiddenReasons(model, "update", BEFORE, reader, add),
    ...refusals,
    unchangedReason(terms, BEFORE),
  ]);
  if (terms.length === 0)
    return `WITH ${judged} SELECT ${resultSql(write)} FROM judged ${ALIAS} ORDER BY ${ALIAS}.id`;
  const table = `${quoteName(model.table)} ${ALIAS}`;
  const isWritten = `${ALIAS}.id = ${BEFORE}.id AND ${BEFORE}."@state" = 'written'`;
  const set = terms
    .filter(({ field }) => !field.through)
    .map(({ field, sql }) => `${columnSql(field)} = ${sql}`);
  if (model.hasTimestamps && !write.keepsMoment) set.push("updated_at = clock_timestamp()");
  const changed =
    set.length > 0
      ? `UPDATE ${table} SET ${set.join(", ")} FROM judged ${BEFORE}
      WHERE ${isWritten} RETURNING ${ALIAS}.*`
      : `SELECT ${ALIAS}.* FROM ${table}, judged ${BEFORE} WHERE ${isWritten}`;
  const audit = auditSql(write, {
    action: "UPDATE",
    from: `judged ${BEFORE} JOIN changed ${AFTER} ON ${AFTER}.id = ${BEFORE}.id`,
    before: toRowState(BEFORE, reader),
    after: toRowState(AFTER, reader, toWrittenLinks(terms)),
    fields: terms.map(({ field }) => field),
  });
  return `WITH ${judged}, changed AS (
      ${changed}
    )${linksSql(terms, "changed")}, audited AS (${audit})
    SELECT ${resultSql(write)} FROM (
      SELECT changed.*, 'written' AS "@state" FROM changed
      UNION ALL SELECT * FROM judged WHERE "@state" <> 'written'
    ) ${ALIAS} ORDER BY ${ALIAS}.id`;
}

/** One statement: a set of rows deleted with their links, an audit entry for each with all that it held, and what became of each. */
export function deleteSql(write: RowsWrite): string {
  const { view, reader, add, refusals = [] } = write;
  const { model } = view;
  const judged = judgeSql(write, "FOR UPDATE", [
    ...forbiddenReasons(model, "delete", BEFORE, reader, add),
    ...refusals,
  ]);
  const isWritten = `${BEFORE}."@state" = 'written'`;
  const audit = auditSql(write, {
    action: "DELETE",
    from: `judged ${BEFORE} WHERE ${isWritten}`,
    before: toRowState(BEFORE, reader),
  });
  const unlinked = model.fields.flatMap(({ through }, index) =>
    through
      ? `, unlinked_${index} AS (DELETE FROM ${quoteName(through.table)} x USING judged ${BEFORE}
      WHERE x.${quoteName(through.from)} = ${BEFORE}.id AND ${isWritten})`
      : [],
  );
  return `WITH ${judged}, audited AS (${audit})${unlinked.join("")}, gone AS (
      DELETE FROM ${quoteName(model.table)} ${ALIAS} USING judged ${BEFORE}
      WHERE ${ALIAS}.id = ${BEFORE}.id AND ${isWritten}
    )
    SELECT ${resultSql(write)} FROM judged ${ALIAS} ORDER BY ${ALIAS}.id`;
}
