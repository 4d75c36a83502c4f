import type { Queryable } from "#server/db/pool.ts";

/** An address that is to get no mail (`all`), or none but codes and security notices (`optional`). */
export interface Suppression {
  address: string;
  scope: "all" | "optional";
  reason: string;
  /** What told: `unsubscribe`, `admin`, `bounce`, `complaint` … */
  source: string;
  createdById: number | null;
  /** ISO moment; null: for good. */
  expiresAt: string | null;
}

/** Of two suppressions of one address and scope the longer one holds, with the newer reason. */
export async function upsertSuppression(db: Queryable, stop: Suppression, now: Date): Promise<void> {
  await db.query(
    `INSERT INTO mail_suppression AS stop (address, scope, reason, source, created_by_id, expires_at, created_at, updated_at)
     VALUES (lower($1), $2, $3, $4, $5, $6, $7, $7)
     ON CONFLICT (address, scope) DO UPDATE SET reason = EXCLUDED.reason, source = EXCLUDED.source,
       created_by_id = EXCLUDED.created_by_id, updated_at = EXCLUDED.updated_at,
       expires_at = CASE WHEN stop.expires_at IS NOT NULL AND EXCLUDED.expires_at IS NOT NULL
                         THEN greatest(stop.expires_at, EXCLUDED.expires_at) END`,
    [stop.address, stop.scope, stop.reason, stop.source, stop.createdById, stop.expiresAt, now],
  );
}
