import type { Queryable } from "#server/db/pool.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { quoteName } from "../../db/sql.ts";

/** A table's statistics are made anew where a job wrote more than this share of its rows. */
const CHANGED_SHARE = 0.1;

/** Totals and plans go by statistics: autovacuum makes them within minutes, and lists after a job are asked for at once. */
export async function refreshStatistics(
  db: Queryable,
  registry: Pick<Registry, "byContentTypeId">,
  job: { id: string; content_type_id: number },
): Promise<void> {
  const model = registry.byContentTypeId.get(job.content_type_id);
  if (!model) return;
  const table = quoteName(model.table);
  const { rows } = await db.query(
    `SELECT 1 FROM content_job j, pg_class c
     WHERE j.id = $1 AND j.finished_at IS NOT NULL AND c.oid = $2::regclass AND j.affected_count > $3 * greatest(c.reltuples, 0)`,
    [job.id, table, CHANGED_SHARE],
  );
  if (rows.length > 0) await db.query(`ANALYZE ${table}`);
}
