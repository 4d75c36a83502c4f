import type { Language } from "#contract/languages.ts";
import { type Field, type FieldKind, type Model, quoteName } from "../model.ts";
import { integer } from "./integer.ts";

/** How people call a row of a model, as SQL over the alias of its table. */
export function titleSql(model: Model, alias: string, lang: Language): string {
  const field = model.fieldByName.get(model.titleField);
  if (!field) throw new Error(`${model.key}: no title field ${model.titleField}`);
  return `coalesce(${field.kind.textSql(`${alias}.${quoteName(field.name)}`, lang)}, '#' || ${alias}.id)`;
}

function requireRelated(field: Field): Model {
  if (!field.related) throw new Error(`${field.name}: a relation without its model`);
  return field.related;
}

/** A row of another model: written as its id, read as `{ id, repr }`. Filters and sorts go by the id. */
export const relation: FieldKind = {
  ...integer,
  name: "relation",
  wireType: "ForeignKey",
  control: "relation",
  operators: ["exact", "in", "isnull"],
  readSql(column, field, lang) {
    const related = requireRelated(field);
    return `(SELECT json_build_object('id', r.id, 'repr', ${titleSql(related, "r", lang)}) FROM ${quoteName(related.table)} r WHERE r.id = ${column})`;
  },
};
