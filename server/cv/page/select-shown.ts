import { createHash } from "node:crypto";
import type { Language } from "#contract/languages.ts";
import { type Reader, toVisitor } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { quoteName } from "#server/db/sql.ts";
import type { Field } from "#server/models/model.ts";
import { visitorRowSql } from "#server/models/row-sql.ts";
import type { ShownModel } from "./shown-models.ts";

/** A text as it is shown, or a list of them. */
type ShownValue = string | string[];

export interface ShownItem {
  id: number;
  /** By field; one without a value is missing. */
  values: Readonly<Record<string, ShownValue>>;
}

/** Rows of each model by its key, in the order of the page. */
export type ShownRows = ReadonlyMap<string, readonly ShownItem[]>;

/** What a switch that is on says, beside its label. */
const YES = "✓";

function valueSql(field: Field, reader: Reader): string {
  const read = field.kind.jsonSql ?? field.kind.readSql;
  return `to_json(${read(field.sql("item"), field, reader)})`;
}

/** The rows of a model that visitors meet, each as `{ id, values }` with its values in the order of the fields. */
function rowsSql({ model, fields }: ShownModel, reader: Reader): string {
  const terms = model.defaultSort.flatMap(({ field, direction }) => {
    const sorted = field === "id" ? model.idField : model.fieldByName.get(field);
    return sorted ? [`${sorted.kind.sortSql(sorted.sql("item"), reader.lang)} ${direction} NULLS LAST`] : [];
  });
  const order = [...terms, "item.id"].join(", ");
  const values = fields.map((field) => valueSql(field, reader)).join(", ");
  const rule = visitorRowSql(model, "item");
  return `(SELECT coalesce(json_agg(json_build_object('id', item.id, 'values', ARRAY[${values}]::json[]) ORDER BY ${order}), '[]')
    FROM ${quoteName(model.table)} item${rule ? ` WHERE ${rule}` : ""})`;
}

/** One statement for the whole page. Named and without parameters: PostgreSQL plans it once a connection. */
export function buildShownQuery(shown: readonly ShownModel[], lang: Language) {
  const reader = toVisitor(lang);
  const columns = shown.map((model) => `${rowsSql(model, reader)} AS ${quoteName(model.model.key)}`);
  const text = `SELECT ${columns.join(",\n")}`;
  const name = `shown_${createHash("sha256").update(text).digest("base64url").slice(0, 22)}`;
  return { name, text };
}

/** A text trimmed; undefined when nothing is left. */
function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value.trim() || undefined : undefined;
}

function toTexts(values: readonly unknown[], toOne: (value: unknown) => ShownValue | undefined): string[] {
  return values.flatMap((value) => toOne(value) ?? []);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A moment in words; the page is the same for all, wherever they are. */
function toMoment(value: string, lang: Language): string {
  const format = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return `${format.format(new Date(value))} UTC`;
}

/**
 * A value as it travels → as visitors read it in their language; undefined where it says nothing. Whatever was let into a row is
 * tolerated: odd shapes count as empty, and each text falls back to the other language by itself.
 */
function toShownValue(field: Field, value: unknown, lang: Language): ShownValue | undefined {
  const toOne = (part: unknown): ShownValue | undefined => toShownValue(field, part, lang);
  if (Array.isArray(value)) {
    const texts = toTexts(value, toOne);
    return texts.length > 0 ? texts : undefined;
  }
  if (isObject(value)) {
    if (field.kind.relates) return toText(value.repr);
    return toOne(value[lang]) ?? toOne(value[lang === "en" ? "tr" : "en"]);
  }
  if (typeof value === "boolean") return value ? YES : undefined;
  if (typeof value === "number") return value.toLocaleString(lang);
  const text = toText(value);
  if (text === undefined) return undefined;
  if (field.kind.wireType === "DateTimeField") return toMoment(text, lang);
  if (field.kind.wireType === "DecimalField") return lang === "tr" ? text.replace(".", ",") : text;
  return field.choices.find((choice) => choice.value === text)?.labels[lang] ?? text;
}

function toShownItem(
  fields: readonly Field[],
  id: number,
  values: readonly unknown[],
  lang: Language,
): ShownItem {
  const shown = fields.flatMap((field, index) => {
    const value = toShownValue(field, values[index], lang);
    return value === undefined ? [] : [[field.name, value] as const];
  });
  return { id, values: Object.fromEntries(shown) };
}

interface ReadRow {
  id: number;
  values: readonly unknown[];
}

/** Everything that visitors may read on a page. */
export async function selectShown(
  db: Queryable,
  shown: readonly ShownModel[],
  query: ReturnType<typeof buildShownQuery>,
  lang: Language,
): Promise<ShownRows> {
  const { rows } = await db.query<Record<string, readonly ReadRow[]>>(query);
  return new Map(
    shown.map(({ model, fields }) => [
      model.key,
      (rows[0]?.[model.key] ?? []).map(({ id, values }) => toShownItem(fields, id, values, lang)),
    ]),
  );
}
