import type { Queryable } from "#server/db/pool.ts";

export interface FileRow {
  key: string;
  name: string;
  mediaType: string;
  byteSize: number;
}

/** The new row's id, undefined when the same content is stored already. */
export async function insertFile(db: Queryable, file: FileRow): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ($1, $2, $3, $4)
     ON CONFLICT (key) DO NOTHING RETURNING id`,
    [file.key, file.name, file.mediaType, file.byteSize],
  );
  return rows[0]?.id;
}

export async function hasFile(db: Queryable, key: string): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM stored_file WHERE key = $1", [key]);
  return rowCount === 1;
}
