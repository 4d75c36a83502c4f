import { AppError } from "#server/base/errors.ts";
import type { Field } from "#server/models/model.ts";
import { quoteName } from "../db/sql.ts";
import type { ModelView } from "./view.ts";

/** A tag of RFC 9110, 8.8.3; a weak one stands for the same version, because ours name content. */
const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

function versionSql(field: Field, alias: string): string {
  const { through } = field;
  if (!through) return field.sql(alias);
  const to = `x.${quoteName(through.to)}`;
  return `(SELECT array_agg(${to} ORDER BY ${to}) FROM ${quoteName(through.table)} x WHERE x.${quoteName(through.from)} = ${alias}.id)`;
}

/**
 * SQL of the name of a row's version: it changes with what the reader may see and somebody can write, and with nothing else.
 * The language of the answer and names of related rows are no part of it.
 */
export function etagSql(view: ModelView, alias: string): string {
  const values = view.fields.filter((field) => !field.isReadOnly).map((field) => versionSql(field, alias));
  return `('"' || md5(ROW(${[`${alias}.id`, ...values].join(", ")})::text) || '"')`;
}

/**
 * The tags of an `If-Match`, strong ones; undefined: there is no condition, or any version will do (`*`).
 * @throws AppError invalid_query where it names no version: its quotes were lost, or it is empty.
 */
export function parseIfMatch(header: string | undefined): string[] | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  const tags = Array.from(header.matchAll(TAG), (match) => match[1] ?? "");
  if (tags.length === 0) throw new AppError("invalid_query", { vars: { parameter: "If-Match" } });
  return tags;
}
