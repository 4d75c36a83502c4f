import type { Dependents, DependentsAnswer } from "#contract/content/objects.ts";
import type { Language } from "#contract/languages.ts";
import en from "#locales/en/tables.json" with { type: "json" };
import tr from "#locales/tr/tables.json" with { type: "json" };
import { type Caller, type Reader, toReader } from "#server/base/actor.ts";
import { AppError, toErrorText } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Field, Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { isAllowed, requireModel, toView } from "../records/access.ts";
import { canSeeRow } from "../records/record.ts";
import { ALIAS, createParameters, fromSql } from "../records/record-sql.ts";
import {
  COUNTED_MAX,
  countReached,
  findReached,
  type Reference,
  selectReferences,
} from "./dependents-store.ts";

/** The relation to many that a table holds, and the model that has it. */
function findThrough(registry: Registry, table: string): { model: Model; field: Field } | undefined {
  for (const model of registry.models) {
    const field = model.fields.find(({ through }) => through?.table === table);
    if (field) return { model, field };
  }
  return undefined;
}

/** The field of a model by which its rows that refer to one object can be listed. */
function findField(model: Model, { table, column, to_column }: Reference, level: number): string | undefined {
  if (model.table !== table || to_column !== "id") return undefined;
  const field = toView(model, level).fields.find((known) => known.column === column && known.related);
  return field?.kind.operators.includes("exact") ? field.name : undefined;
}

/** Whose rows are touched, as far as the reader may know. `deleted`: the table of what is deleted. */
function nameReference(
  registry: Registry,
  reference: Reference,
  { level, lang, deleted }: Pick<Reader, "level" | "lang"> & { deleted: string },
): Pick<Dependents, "content_type_id" | "verbose_name" | "field"> {
  const { table, to_table } = reference;
  const link = findThrough(registry, table);
  const other = link?.model.table === to_table ? link.field.related : link?.model;
  const model = other ?? registry.models.find((known) => known.table === table);
  if (!model || !isAllowed(model, "view", level)) {
    const name = (!model && findTableName(table, lang)) || toErrorText("other_objects", lang);
    return { content_type_id: null, verbose_name: name };
  }
  const field = to_table === deleted ? findField(model, reference, level) : undefined;
  return {
    content_type_id: model.contentTypeId,
    verbose_name: model.pluralLabels[lang],
    ...(field !== undefined && { field }),
  };
}

/** What happens to the rows of a table: a link between two rows goes, the rows stay. */
function toEffect(registry: Registry, { table, to_table, effect }: Reference): Dependents["effect"] {
  const link = findThrough(registry, table);
  if (!link) return effect;
  const isOwn = link.model.table === to_table;
  return isOwn || effect !== "refuse" ? "detach" : "refuse";
}

/**
 * What a deletion of rows of a model would do to others: counts by model and effect, each up to `COUNTED_MAX` a chain. `rows`
 * is SQL of a query of whole rows of the model's table, over `values`. Counts alone: no rule hides them, no value shows.
 */
export async function countDependents(
  db: Queryable,
  { model, registry, reader }: { model: Model; registry: Registry; reader: Pick<Reader, "level" | "lang"> },
  rows: string,
  values: readonly unknown[],
): Promise<Dependents[]> {
  const reached = findReached(await selectReferences(db), model.table, rows);
  const counts = await countReached(db, reached, values);
  const found = new Map<string, Dependents>();
  for (const [index, { reference }] of reached.entries()) {
    const count = counts[index] ?? 0;
    if (count === 0) continue;
    const named = nameReference(registry, reference, { ...reader, deleted: model.table });
    const effect = toEffect(registry, reference);
    const key = JSON.stringify([named, effect]);
    const before = found.get(key)?.count ?? 0;
    found.set(key, { ...named, effect, count: Math.min(before + count, COUNTED_MAX) });
  }
  return [...found.values()];
}

/** What a deletion of one object would take along. */
export function createGetDependents({ pool, registry }: { pool: Queryable; registry: Registry }) {
  return async (contentTypeId: number, id: number, caller: Caller): Promise<DependentsAnswer> => {
    const model = requireModel(registry, contentTypeId, "view", caller.actor);
    const reader = toReader(caller);
    if (!(await canSeeRow(pool, model, id, reader))) throw new AppError("object_not_found");
    const { add, values } = createParameters();
    const rows = `SELECT ${ALIAS}.* ${fromSql(model)} WHERE ${ALIAS}.id = ${add(id)}::bigint`;
    const dependents = await countDependents(pool, { model, registry, reader }, rows, values);
    return { dependents, is_deletable: dependents.every(({ effect }) => effect !== "refuse") };
  };
}

const NAMES: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, tr };

/** How people call the rows of a table that is no model's, such as sessions; undefined where it has no such name. */
export function findTableName(table: string, lang: Language): string | undefined {
  return NAMES[lang][table];
}
