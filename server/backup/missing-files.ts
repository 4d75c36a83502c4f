import type { Queryable } from "#server/db/pool.ts";
import type { ManifestFile } from "./manifest.ts";

/** Names of stored files and of people's pictures, and the folder they lie in. A column that an older version lacks is asked for nothing. */
const NAMED = [
  { table: "stored_file", columns: ["key"], folder: "files" },
  { table: "account_user", columns: ["avatar", "cover"], folder: "people" },
];

async function selectNames(db: Queryable, table: string, columns: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT DISTINCT value AS name FROM ${table} row, jsonb_each_text(to_jsonb(row)) AS field(name, value)
     WHERE field.name = ANY($1) AND value IS NOT NULL ORDER BY 1`,
    [columns],
  );
  return rows.map(({ name }) => name);
}

/** A line for each file that rows name and that isn't among those given. */
export async function findMissingFiles(db: Queryable, files: readonly ManifestFile[]): Promise<string[]> {
  const known = new Set(files.map(({ path }) => path));
  const lines: string[] = [];
  for (const { table, columns, folder } of NAMED) {
    for (const name of await selectNames(db, table, columns)) {
      const path = `${folder}/${name.slice(0, 2)}/${name}`;
      if (!known.has(path)) lines.push(`${path} is named by ${table}, and the file isn't there.`);
    }
  }
  return lines;
}
