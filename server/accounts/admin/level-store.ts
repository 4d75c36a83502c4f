import type { LocalizedText } from "#contract/languages.ts";
import type { Queryable } from "#server/db/pool.ts";

export interface LevelRow {
  id: number;
  level: number;
  name: LocalizedText;
  description: LocalizedText | null;
  is_core: boolean;
  is_active: boolean;
}
const LEVEL_COLUMNS = "id, level, name, description, is_core, is_active";

/** The level, which nobody renumbers or retires before the transaction ends. */
export async function lockLevel(
  db: Queryable,
  by: { id: number } | { level: number },
): Promise<LevelRow | undefined> {
  const [column, value] = "id" in by ? ["id", by.id] : ["level", by.level];
  const { rows } = await db.query<LevelRow>(
    `SELECT ${LEVEL_COLUMNS} FROM access_level WHERE ${column} = $1 FOR SHARE`,
    [value],
  );
  return rows[0];
}

/** Every level by its row's number, lowest first. */
export async function listLevels(db: Queryable): Promise<LevelRow[]> {
  const { rows } = await db.query<LevelRow>(`SELECT ${LEVEL_COLUMNS} FROM access_level ORDER BY level`);
  return rows;
}

export type LevelValues = Omit<LevelRow, "id" | "is_core">;

const toJson = (text: LocalizedText | null) => (text === null ? null : JSON.stringify(text));

/** A taken number is PostgreSQL's 23505. */
export async function insertLevel(db: Queryable, values: LevelValues): Promise<{ id: number }> {
  const { rows } = await db.query<{ id: number }>(
    "INSERT INTO access_level (level, name, description, is_active) VALUES ($1, $2, $3, $4) RETURNING id",
    [values.level, toJson(values.name), toJson(values.description), values.is_active],
  );
  if (!rows[0]) throw new Error("The access level that was just made has no number.");
  return rows[0];
}

export async function updateLevel(db: Queryable, id: number, values: LevelValues): Promise<void> {
  await db.query(
    `UPDATE access_level SET level = $2, name = $3, description = $4, is_active = $5, updated_at = clock_timestamp()
     WHERE id = $1`,
    [id, values.level, toJson(values.name), toJson(values.description), values.is_active],
  );
}

export async function deleteLevel(db: Queryable, id: number): Promise<void> {
  await db.query("DELETE FROM access_level WHERE id = $1", [id]);
}

/** People who have a level. */
export async function listPeopleOf(db: Queryable, id: number): Promise<{ id: number; username: string }[]> {
  const { rows } = await db.query<{ id: number; username: string }>(
    "SELECT id, username FROM account_user WHERE access_level_id = $1 ORDER BY id",
    [id],
  );
  return rows;
}

export async function isInUse(db: Queryable, id: number): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM account_user WHERE access_level_id = $1 LIMIT 1", [id]);
  return rowCount === 1;
}
