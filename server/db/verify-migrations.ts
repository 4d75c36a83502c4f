import { readMigrationFiles } from "drizzle-orm/migrator";
import { MIGRATIONS_FOLDER, readMigrationNames } from "./migrate.ts";
import type { Queryable } from "./pool.ts";

/**
 * Compares the whole list of migrations with what the database was built from: by hash, not by the newest one only.
 * @returns a line for each difference, with the migration's name.
 */
export async function findMigrationFaults(db: Queryable): Promise<string[]> {
  const names = readMigrationNames();
  const files = new Map(
    readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map((file) => [file.folderMillis, file.hash]),
  );
  const { rows } = await db.query<{ created_at: string; hash: string }>(
    "SELECT created_at, hash FROM drizzle.__drizzle_migrations ORDER BY created_at",
  );
  const applied = new Map(rows.map((row) => [Number(row.created_at), row.hash]));
  const faults: string[] = [];
  for (const [when, hash] of files) {
    const name = names.get(when) ?? String(when);
    const known = applied.get(when);
    if (known === undefined)
      faults.push(`migration ${name} was never applied: a newer one was applied before it`);
    else if (known !== hash) faults.push(`migration ${name} was changed after it was applied`);
  }
  for (const when of applied.keys()) {
    if (!files.has(when))
      faults.push(
        `the database has a migration of ${new Date(when).toISOString()} that this version doesn't know`,
      );
  }
  return faults;
}
