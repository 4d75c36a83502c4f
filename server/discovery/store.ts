import type { Queryable } from "#server/db/pool.ts";
import type { Model } from "#server/models/model.ts";
import { quoteName } from "../db/sql.ts";

/**
 * When rows of each model last changed, by the model's key, as `YYYY-MM-DDTHH:MM:SSZ`. A row that is gone can't say so
 * itself: the audit log has the deletions. A model that never had a row is not in the map.
 */
export async function selectLastChanges(
  db: Queryable,
  models: readonly Model[],
): Promise<Map<string, string>> {
  const stamped = models.filter((model) => model.hasTimestamps);
  const selects = stamped.map(
    (model, index) =>
      `SELECT $${index + 2}::text AS model, max(updated_at) AS at FROM ${quoteName(model.table)}`,
  );
  selects.push(`
    SELECT type.app_label || '.' || type.model_name, max(entry.timestamp)
    FROM content_type type JOIN audit_entry entry ON entry.content_type_id = type.id
    WHERE type.id = ANY ($1) AND entry.action_type = 'DELETE' GROUP BY 1`);
  const { rows } = await db.query<{ model: string; at: string }>(
    `SELECT model, to_char(max(at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at
     FROM (${selects.join(" UNION ALL ")}) changes WHERE at IS NOT NULL GROUP BY model`,
    [models.map((model) => model.contentTypeId), ...stamped.map((model) => model.key)],
  );
  return new Map(rows.map(({ model, at }) => [model, at]));
}
