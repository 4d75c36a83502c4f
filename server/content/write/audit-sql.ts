import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { auditInsertSql } from "#server/audit/service.ts";
import type { Actor, Reader } from "#server/base/actor.ts";
import { quoteName, toLiteral } from "#server/db/sql.ts";
import type { AddParameter, Field, Model } from "#server/models/model.ts";
import { relatedReprSql, requireRelated, titleSql } from "#server/models/row-sql.ts";
import type { ModelView } from "../records/access.ts";
import { jsonSql } from "../records/record-sql.ts";
import { heldSql } from "./judge-sql.ts";

/*
 * The one place that says what the log keeps of a written row: which fields, what counts as changed, how values are shown and
 * hidden. Whoever writes rows, one or many, by a statement or by a subject, takes its entries from `auditSql`.
 */

/** PostgreSQL gives a function at most 100 arguments. */
const PAIRS_PER_CALL = 50;
/** Stands in audit entries for a value that they must not keep. */
export const SECRET = "•••";

/** SQL of a jsonb object, from names and the SQL of their values. */
function jsonObjectSql(pairs: readonly (readonly [string, string])[]): string {
  const calls: string[] = [];
  for (let start = 0; start < pairs.length; start += PAIRS_PER_CALL) {
    const args = pairs
      .slice(start, start + PAIRS_PER_CALL)
      .map(([name, sql]) => `${toLiteral(name)}, ${sql}`);
    calls.push(`jsonb_build_object(${args.join(", ")})`);
  }
  return calls.length > 0 ? `(${calls.join(" || ")})` : "'{}'::jsonb";
}

/** Fields whose values stand in the row, or beside it: what an undo needs. */
function listStored(model: Model): Field[] {
  return model.fields.filter(({ column, through }) => column !== null || through !== null);
}

/** What a `RecordWriter` may change: its rules go beyond the fields that were sent. The moment of the write is no change. */
export function listChangeable(model: Model): Field[] {
  return listStored(model).filter(({ name }) => !(model.hasTimestamps && name === "updated_at"));
}

/** Links as a record has them, from SQL of their ids. */
function linksSql(field: Field, ids: string, reader: Reader): string {
  const item = `json_build_object('id', r.id, 'repr', ${relatedReprSql(field, "r", reader)})`;
  const related = quoteName(requireRelated(field).table);
  return `coalesce((SELECT json_agg(${item} ORDER BY r.id) FROM ${related} r WHERE r.id = ANY(${ids})), '[]'::json)`;
}

/** SQL of a field's value as an entry keeps it. `held` is as of `heldSql`. */
function shownSql(field: Field, alias: string, held: string, reader: Reader): string {
  if (field.isPerson)
    return `CASE WHEN ${held} IS NOT NULL THEN jsonb_build_object('id', ${held}, 'repr', '#' || ${held}) END`;
  if (field.isSecret) return `CASE WHEN ${held} IS NOT NULL THEN '${SECRET}' END`;
  return field.through ? linksSql(field, held, reader) : jsonSql(field, reader, alias);
}

/** Rows in one state, before a write or after it, as the statement that writes the entries knows them. */
export interface RowState {
  /** Of what has their ids. */
  alias: string;
  /** SQL of what a row has of a field; two states differ where these do. */
  toHeld(field: Field): string;
  /** SQL of the same as an entry keeps it. */
  toShown(field: Field): string;
}

/** Rows that stand under an alias. `written` is SQL of links that the same statement writes: it doesn't see them itself. */
export function toRowState(
  alias: string,
  reader: Reader,
  written: ReadonlyMap<Field, string> = new Map(),
): RowState {
  const toHeld = (field: Field) => (field.through && written.get(field)) || heldSql(field, alias);
  return { alias, toHeld, toShown: (field) => shownSql(field, alias, toHeld(field), reader) };
}

/** SQL, as jsonb, of all that the entry of a row under an alias can need once the row is another one or gone. */
export function rememberSql(model: Model, alias: string, reader: Reader): string {
  const stored = listStored(model);
  const pick = (isLink: boolean) => stored.filter(({ through }) => (through !== null) === isLink);
  const { toShown } = toRowState(alias, reader);
  return jsonObjectSql([
    [
      "row",
      jsonObjectSql([
        ["id", `${alias}.id`],
        ...pick(false).map((field) => [field.column ?? field.name, field.sql(alias)] as const),
      ]),
    ],
    ["links", jsonObjectSql(pick(true).map((field) => [field.name, heldSql(field, alias)]))],
    ["shown", jsonObjectSql(stored.map((field) => [field.name, toShown(field)]))],
  ]);
}

/** The state that `rememberSql` gave, and what stands behind FROM to have it; `remembered` is SQL of it. */
export function toRememberedState(
  model: Model,
  alias: string,
  remembered: string,
): { state: RowState; from: string } {
  const at = (part: string, name: string) => `${remembered} -> '${part}' -> ${toLiteral(name)}`;
  const toHeld = (field: Field) =>
    field.through
      ? `ARRAY(SELECT jsonb_array_elements_text(${at("links", field.name)})::bigint)`
      : field.sql(alias);
  return {
    state: { alias, toHeld, toShown: (field) => `(${at("shown", field.name)})` },
    from: `jsonb_populate_record(NULL::${quoteName(model.table)}, ${remembered} -> 'row') ${alias}`,
  };
}

/** The person who writes, and the detail of all entries. */
export interface AuditedWrite {
  view: ModelView;
  reader: Reader;
  actor: Actor;
  add: AddParameter;
  detail?: string | null;
}

/** Entries of the rows of `from`: what stands behind FROM, conditions and all. */
export type Entries = {
  from: string;
  /** In place of the rows' own. */
  name?: string;
  /** The row was a person who is gone: nothing of it is kept. */
  isForgotten?: boolean;
} & (
  | { action: "CREATE"; after: RowState }
  /** `fields` are those that may have changed. */
  | { action: "UPDATE"; before: RowState; after: RowState; fields: readonly Field[] }
  | { action: "DELETE"; before: RowState }
);

/** SQL of `[field, { before, after }]`, or of one of the two. */
function changeSql(field: Field, sides: Readonly<Record<string, RowState>>): readonly [string, string] {
  const shown = Object.entries(sides).map(([side, state]) => [side, state.toShown(field)] as const);
  return [field.name, jsonObjectSql(shown)];
}

/** SQL that says whether two states of a row differ in a field. */
export function changedSql(field: Field, before: RowState, after: RowState): string {
  return `${before.toHeld(field)} IS DISTINCT FROM ${after.toHeld(field)}`;
}

function changesSql(model: Model, entries: Entries): string {
  switch (entries.action) {
    case "CREATE": {
      const given = listStored(model).filter(({ isReadOnly }) => !isReadOnly);
      return jsonObjectSql(given.map((field) => changeSql(field, { after: entries.after })));
    }
    case "DELETE":
      return jsonObjectSql(listStored(model).map((field) => changeSql(field, { before: entries.before })));
    case "UPDATE": {
      const { before, after, fields } = entries;
      const parts = fields.map((field) => {
        const change = jsonObjectSql([changeSql(field, { before, after })]);
        return `CASE WHEN ${changedSql(field, before, after)} THEN ${change} ELSE '{}' END`;
      });
      return parts.length > 0 ? `(${parts.join(" || ")})` : "'{}'::jsonb";
    }
  }
}

/** SQL of the entry's sentence. A field that some readers of the log don't know is not named in it. */
function messageSql(entries: Entries): string {
  if (entries.action !== "UPDATE") return entries.action === "CREATE" ? "'Created'" : "'Deleted'";
  const { before, after, fields } = entries;
  const names = fields
    .filter(({ viewLevel }) => viewLevel <= ACCESS_LEVEL.admin)
    .map((field) => `CASE WHEN ${changedSql(field, before, after)} THEN ${toLiteral(field.name)} END`);
  return names.length > 0
    ? `concat_ws(' ', 'Changed', nullif(concat_ws(', ', ${names.join(", ")}), ''))`
    : "'Changed'";
}

/** The statement that inserts the entries, without a result: a part of the one that writes the rows, or after it. */
export function auditSql({ view, reader, actor, add, detail }: AuditedWrite, entries: Entries): string {
  const { model } = view;
  const { alias } = entries.action === "DELETE" ? entries.before : entries.after;
  const { action, from, name, isForgotten = false } = entries;
  const query = {
    action,
    from,
    detail: detail ?? null,
    contentTypeId: model.contentTypeId,
    objectId: `${alias}.id`,
    objectRepr: name === undefined ? titleSql(model, alias, reader.lang) : `${add(name)}::text`,
    message: messageSql(entries),
    changes: isForgotten ? "NULL::jsonb" : changesSql(model, entries),
  };
  return auditInsertSql(actor, query, add);
}
