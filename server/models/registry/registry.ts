import type { Queryable } from "#server/db/pool.ts";
import type { ModelDeclaration } from "../declare.ts";
import type { Model } from "../model.ts";
import { buildModel, checkRowRules } from "./build-model.ts";
import { createReporter } from "./check-declaration.ts";

/** Faults in declarations, all at once, each with file and field. Stops the start. */
export class RegistryError extends Error {
  override name = "RegistryError";
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The content models are declared wrongly:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

/** All content models, by key and by content type id. */
export interface Registry {
  models: readonly Model[];
  byKey: ReadonlyMap<string, Model>;
  byContentTypeId: ReadonlyMap<number, Model>;
}

/** Key of a declaration before it is a model. */
export function toModelKey(declaration: Pick<ModelDeclaration, "app" | "name">): string {
  return `${declaration.app}.${declaration.name}`;
}

function linkRelations(
  declarations: readonly ModelDeclaration[],
  byKey: ReadonlyMap<string, Model>,
  faults: string[],
): void {
  for (const declaration of declarations) {
    const report = createReporter(declaration, faults);
    for (const field of byKey.get(toModelKey(declaration))?.fields ?? []) {
      if (!field.kind.relates) continue;
      const key = declaration.fields[field.name]?.related ?? "";
      const related = byKey.get(key);
      if (related) field.related = related;
      else report(field.name, `a relation to "${key}", which is no declared model`);
    }
  }
}

/**
 * Turns declarations into models. `contentTypeIds` maps each key to its row of `content_type`.
 * @throws RegistryError with every fault, each with its file and field.
 */
export function buildRegistry(
  declarations: readonly ModelDeclaration[],
  contentTypeIds: ReadonlyMap<string, number>,
): Registry {
  const faults: string[] = [];
  const models: Model[] = [];
  const byKey = new Map<string, Model>();
  for (const declaration of declarations) {
    const key = toModelKey(declaration);
    const report = createReporter(declaration, faults);
    if (byKey.has(key)) report(null, "declared twice");
    const model = buildModel(declaration, contentTypeIds.get(key) ?? 0, models, report);
    if (!model) continue;
    byKey.set(key, model);
    models.push(model);
  }
  linkRelations(declarations, byKey, faults);
  // Rules are compiled over what is linked.
  if (faults.length === 0) for (const model of models) checkRowRules(model, createReporter(model, faults));
  if (faults.length > 0) throw new RegistryError(faults);
  return { models, byKey, byContentTypeId: new Map(models.map((model) => [model.contentTypeId, model])) };
}

/** The number of each declared model, given now to those that have none. */
export async function ensureContentTypes(
  db: Queryable,
  declarations: readonly Pick<ModelDeclaration, "app" | "name">[],
): Promise<Map<string, number>> {
  const apps = declarations.map((declaration) => declaration.app);
  const names = declarations.map((declaration) => declaration.name);
  await db.query(
    `INSERT INTO content_type (app_label, model_name)
     SELECT app, name FROM unnest($1::text[], $2::text[]) WITH ORDINALITY declared(app, name, place)
     WHERE NOT EXISTS (SELECT FROM content_type WHERE app_label = app AND model_name = name)
     ORDER BY place
     ON CONFLICT DO NOTHING`,
    [apps, names],
  );
  const { rows } = await db.query<{ id: number; app_label: string; model_name: string }>(
    "SELECT * FROM content_type",
  );
  return new Map(rows.map((row) => [toModelKey({ app: row.app_label, name: row.model_name }), row.id]));
}
