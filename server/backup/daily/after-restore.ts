import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Queryable } from "#server/db/pool.ts";
import { isDailyName } from "./retention.ts";
import { markRemoved, selectMade } from "./run-store.ts";

/** What is known of backups by the clock before a database is replaced. */
export interface FormerBackups {
  /** Of the replaced database: those whose file wasn't removed, with the moment (ISO text) of each; the oldest first. */
  made: readonly { file: string; began_at: string }[];
  /** Bytes of those that are in the folder, by name. A backup has another name until it is whole. Undefined: nobody knows. */
  there: ReadonlyMap<string, number> | undefined;
}

/**
 * `folder`: where the site's backups are. Its own one may not be there yet; where another one isn't, its disk may not be mounted.
 * @throws what the database or the disk says
 */
export async function readFormerBackups(
  db: Queryable,
  { folder, isOwn }: { folder: string; isOwn: boolean },
): Promise<FormerBackups> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (isOwn && error.code === "ENOENT") return [];
    throw error;
  });
  const there = new Map<string, number>();
  for (const name of names.filter(isDailyName)) there.set(name, (await stat(join(folder, name))).size);
  // The table of a Foyer that made none by itself isn't there.
  const { rowCount } = await db.query("SELECT WHERE to_regclass('public.site_backup') IS NOT NULL");
  if (rowCount === 0) return { made: [], there };
  const { rows: made } = await db.query<{ file: string; began_at: string }>(
    `SELECT file, began_at FROM site_backup
     WHERE kind = 'backup' AND file IS NOT NULL AND removed_at IS NULL ORDER BY began_at, id`,
  );
  return { made, there };
}

/**
 * Puts the list of backups right in what was restored; nothing else runs. The backup itself is whole, though it was being written
 * when it copied this table. Runs that were cut off are forgotten, unless their file is there. Those that the replaced database
 * knew are taken over: nobody else would ever remove their files. And those whose file isn't there, as on another machine, count as
 * removed: they would take the places of files that are kept. Copies of them at another place go in their time all the same.
 * @param file name of the backup that was restored, wherever it lies
 */
export async function settleRestored(
  db: Queryable,
  { file, byteSize, former, now }: { file: string; byteSize: number; former: FormerBackups; now: Date },
): Promise<void> {
  const { made, there } = former;
  const whole = new Map([[file, byteSize], ...(there ?? [])]);
  await db.query(
    `UPDATE site_backup SET status = 'done', ended_at = $3, updated_at = $3, byte_size = found.byte_size
     FROM unnest($1::text[], $2::bigint[]) AS found (file, byte_size)
     WHERE status = 'running' AND kind = 'backup' AND site_backup.file = found.file`,
    [[...whole.keys()], [...whole.values()], now],
  );
  await db.query("DELETE FROM site_backup WHERE status = 'running'");
  if (!there) return;
  for (const backup of made) {
    const byteSize = there.get(backup.file);
    if (byteSize === undefined) continue;
    await db.query(
      `INSERT INTO site_backup (kind, status, began_at, ended_at, created_at, updated_at, file, byte_size)
       SELECT 'backup', 'done', $1::timestamptz, $1::timestamptz, $2, $2, $3, $4
       WHERE NOT EXISTS (SELECT FROM site_backup WHERE kind = 'backup' AND file = $3)`,
      [backup.began_at, now, backup.file, byteSize],
    );
  }
  const gone = (await selectMade(db)).filter((name) => !there.has(name));
  await markRemoved(db, gone, now);
}
