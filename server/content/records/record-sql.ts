import type { ModelRecord } from "#contract/content/models.ts";
import type { Reader } from "#server/base/actor.ts";
import { quoteName } from "#server/db/sql.ts";
import type { AddParameter, Field, Model } from "#server/models/model.ts";
import { titleSql } from "#server/models/row-sql.ts";
import type { ModelView } from "./access.ts";

/** Alias of the model's table in every statement of this folder. */
export const ALIAS = "t";

/** `FROM "table" t`. */
export function fromSql(model: Model): string {
  return `FROM ${quoteName(model.table)} ${ALIAS}`;
}

/** The id as it travels: a number, also where it is a bigint (exact up to 2^53). */
export function idSql(model: Model, alias = ALIAS): string {
  return model.idType === "bigint" ? `${alias}.id::float8` : `${alias}.id`;
}

/** SQL of a field's wire value for a row under an alias. */
function readSql(field: Field, reader: Reader, alias = ALIAS): string {
  return field.kind.readSql(field.sql(alias), field, reader);
}

/** SQL of a field's wire value inside JSON that PostgreSQL makes. */
export function jsonSql(field: Field, reader: Reader, alias = ALIAS): string {
  const { kind } = field;
  return (kind.jsonSql ?? kind.readSql)(field.sql(alias), field, reader);
}

function buildRecordSql(view: ModelView, reader: Reader, alias: string): string {
  const fields = view.fields.map((field) => `${readSql(field, reader, alias)} AS ${quoteName(field.name)}`);
  return [
    `${idSql(view.model, alias)} AS id`,
    `${titleSql(view.model, alias, reader.lang)} AS repr`,
    ...fields,
  ].join(", ");
}

/** Whether the names of related rows depend on who reads: rules of rows may speak of the reader. */
function isPersonal(view: ModelView, { level }: Reader): boolean {
  return view.fields.some(({ related, models }) =>
    [...(related ? [related] : []), ...models].some(({ rows }) =>
      rows.some((rule) => level < rule.belowLevel),
    ),
  );
}

const recordTexts = new WeakMap<ModelView, Map<string, string>>();

/** The values of a record as they travel: `id`, `repr` and every field that the reader may see. */
export function recordSql(view: ModelView, reader: Reader, alias = ALIAS): string {
  const texts = recordTexts.get(view) ?? new Map<string, string>();
  recordTexts.set(view, texts);
  const key = `${reader.lang} ${reader.level} ${alias}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = buildRecordSql(view, reader, alias);
  if (!isPersonal(view, reader)) texts.set(key, text);
  return text;
}

/** Parameters of a statement: `add` gives placeholders, `values` what they stand for. */
export function createParameters(): { add: AddParameter; values: unknown[] } {
  const values: unknown[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

const columnsOfViews = new WeakMap<ModelView, readonly string[]>();

/** Names of the values that `recordSql` selects, in its order. */
export function recordColumns(view: ModelView): readonly string[] {
  const known = columnsOfViews.get(view) ?? ["id", "repr", ...view.fields.map((field) => field.name)];
  columnsOfViews.set(view, known);
  return known;
}

/** A row that was read as a list, as a record; values behind those of `columns` are no part of it. */
export function toRecord(columns: readonly string[], row: readonly unknown[]): ModelRecord {
  const record: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index++) record[columns[index] ?? ""] = row[index];
  return record as ModelRecord; // `recordSql` begins with id and repr
}
