import { getTableName } from "drizzle-orm";
import type { Queryable } from "#server/db/pool.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import { quoteName } from "#server/models/model.ts";
import { toModelKey } from "#server/models/registry.ts";

const TABLES = new Map(
  DECLARED.map((declaration) => [toModelKey(declaration), getTableName(declaration.table)]),
);

/** Whether a row of these models is still as it came: an edit since then has moved its `updated_at`. */
export async function selectHasSample(db: Queryable, models: readonly string[]): Promise<boolean> {
  const known = models.filter((model) => TABLES.has(model));
  if (known.length === 0) return false;
  const tests = known.map(
    (model, index) => `EXISTS (SELECT FROM sample_row s JOIN ${quoteName(TABLES.get(model) ?? "")} item
       ON item.id = s.object_id AND item.updated_at = s.row_updated_at WHERE s.model = $${index + 1})`,
  );
  const { rows } = await db.query<{ has_sample: boolean }>(
    `SELECT ${tests.join(" OR ")} AS has_sample`,
    known,
  );
  return rows[0]?.has_sample ?? false;
}
