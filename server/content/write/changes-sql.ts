import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { Reader } from "#server/base/actor.ts";
import { toLiteral } from "#server/db/sql.ts";
import type { Field, Model } from "#server/models/model.ts";
import { jsonSql } from "../records/record-sql.ts";

/** PostgreSQL gives a function at most 100 arguments. */
const PAIRS_PER_CALL = 50;
/** Stands in audit entries for a value that they must not keep. */
export const SECRET = "•••";

/** SQL of a jsonb object, from names and the SQL of their values. */
export function jsonObjectSql(pairs: readonly (readonly [string, string])[]): string {
  const calls: string[] = [];
  for (let start = 0; start < pairs.length; start += PAIRS_PER_CALL) {
    const args = pairs
      .slice(start, start + PAIRS_PER_CALL)
      .map(([name, sql]) => `${toLiteral(name)}, ${sql}`);
    calls.push(`jsonb_build_object(${args.join(", ")})`);
  }
  return calls.length > 0 ? `(${calls.join(" || ")})` : "'{}'::jsonb";
}

/** Fields whose values are kept in the row, or beside it: what an undo needs. */
export function isStored(field: Field): boolean {
  return field.column !== null || field.through !== null;
}

/** Fields that the entry of a creation tells of. */
export function isCreated(field: Field): boolean {
  return isStored(field) && !field.isReadOnly;
}

/** SQL of a field's value as an audit entry keeps it. */
export function auditedSql(field: Field, reader: Reader, alias: string): string {
  const value = field.sql(alias);
  if (field.isPerson)
    return `CASE WHEN ${value} IS NOT NULL THEN jsonb_build_object('id', ${value}, 'repr', '#' || ${value}) END`;
  if (!field.isSecret) return jsonSql(field, reader, alias);
  return `CASE WHEN ${value} IS NOT NULL THEN '${SECRET}' END`;
}

/** SQL of `{ field: { after } }` of every field that a new row can be given. */
export function createdSql(model: Model, reader: Reader, alias: string): string {
  return jsonObjectSql(
    model.fields
      .filter(isCreated)
      .map((field) => [field.name, jsonObjectSql([["after", auditedSql(field, reader, alias)]])] as const),
  );
}

/** SQL of `{ field: { before } }` of everything that is lost with a row. */
export function deletedSql(model: Model, reader: Reader, alias: string): string {
  return jsonObjectSql(
    model.fields
      .filter(isStored)
      .map((field) => [field.name, jsonObjectSql([["before", auditedSql(field, reader, alias)]])] as const),
  );
}

/** SQL of `{ field: { before, after } }` of those fields in which two states of a row differ. */
export function changedSql(fields: readonly Field[], reader: Reader, before: string, after: string): string {
  const parts = fields.map((field) => {
    const change = jsonObjectSql([
      ["before", auditedSql(field, reader, before)],
      ["after", auditedSql(field, reader, after)],
    ]);
    const entry = jsonObjectSql([[field.name, change]]);
    return `CASE WHEN ${field.sql(before)} IS DISTINCT FROM ${field.sql(after)} THEN ${entry} ELSE '{}' END`;
  });
  return parts.length > 0 ? `(${parts.join(" || ")})` : "'{}'::jsonb";
}

/** A field that some readers of the log don't know is not named in an entry's sentence. */
export function isNamed(field: Field | undefined): boolean {
  return field !== undefined && field.viewLevel <= ACCESS_LEVEL.admin;
}

/** SQL of the entry's sentence. */
export function messageSql(fields: readonly Field[], before: string, after: string): string {
  const names = fields
    .filter(isNamed)
    .map(
      (field) =>
        `CASE WHEN ${field.sql(before)} IS DISTINCT FROM ${field.sql(after)} THEN ${toLiteral(field.name)} END`,
    );
  return names.length > 0
    ? `concat_ws(' ', 'Changed', nullif(concat_ws(', ', ${names.join(", ")}), ''))`
    : "'Changed'";
}
