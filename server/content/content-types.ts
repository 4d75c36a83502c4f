import type { Queryable } from "#server/db/pool.ts";
import type { ModelDeclaration } from "#server/models/declare.ts";
import { toModelKey } from "#server/models/registry/registry.ts";

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
