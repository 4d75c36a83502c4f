import type { Language } from "#contract/languages.ts";
import type { Model } from "./model.ts";

/** How people call a row of a model, as SQL over the alias of its table. */
export function titleSql(model: Model, alias: string, lang: Language): string {
  const field = model.fieldByName.get(model.titleField);
  if (!field) throw new Error(`${model.key}: no title field ${model.titleField}`);
  return `coalesce(${field.kind.textSql(field.sql(alias), lang)}, '#' || ${alias}.id)`;
}
