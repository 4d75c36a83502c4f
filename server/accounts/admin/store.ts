import { ACCESS_LEVEL, NEW_ACCOUNT_PRIVACY } from "#contract/accounts/accounts.ts";
import type { Language, LocalizedText } from "#contract/languages.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Account } from "../account.ts";
import { ACCOUNT_COLUMNS } from "../store.ts";

/** An account with the number of its level's row. `has_ticket`: somebody registered it, and the console has not made it its own. */
export type ManagedAccount = Account & { access_level_id: number; has_ticket: boolean };

const ACCOUNTS = "account_user u JOIN access_level l ON l.id = u.access_level_id";

export async function findManaged(db: Queryable, id: number): Promise<ManagedAccount | undefined> {
  const { rows } = await db.query<ManagedAccount>(
    `SELECT ${ACCOUNT_COLUMNS}, u.access_level_id, u.registration_ticket_hash IS NOT NULL AS has_ticket FROM ${ACCOUNTS} WHERE u.id = $1`,
    [id],
  );
  return rows[0];
}

/** What has to be locked ahead of some accounts: their addresses, and whether a superuser is among them. */
export async function findLocks(
  db: Queryable,
  ids: readonly number[],
): Promise<{ addresses: string[]; hasSuperuser: boolean }> {
  const { rows } = await db.query<{ email: string; pending_email: string | null; is_superuser: boolean }>(
    `SELECT u.email, u.pending_email, l.level = $2 AS is_superuser FROM ${ACCOUNTS} WHERE u.id = ANY($1::integer[])`,
    [ids, ACCESS_LEVEL.superuser],
  );
  return {
    addresses: rows.flatMap(({ email, pending_email }) => [email, pending_email ?? email]),
    hasSuperuser: rows.some(({ is_superuser }) => is_superuser),
  };
}

/** The person who writes, as they are now: the level that the request came with may be gone. Undefined: suspended or gone. */
export async function findWriter(
  db: Queryable,
  userId: number,
): Promise<{ level: number; language: Language | null } | undefined> {
  const { rows } = await db.query<{ level: number; language: Language | null }>(
    `SELECT l.level, u.admin_language AS language FROM ${ACCOUNTS} WHERE u.id = $1 AND u.is_active`,
    [userId],
  );
  return rows[0];
}

/** The values that the console writes. */
export type ManagedValues = Pick<
  ManagedAccount,
  | "username"
  | "email"
  | "first_name"
  | "last_name"
  | "access_level_id"
  | "is_active"
  | "is_email_verified"
  | "admission"
>;
const MANAGED_COLUMNS = [
  "username",
  "email",
  "first_name",
  "last_name",
  "access_level_id",
  "is_active",
  "is_email_verified",
  "admission",
] as const satisfies readonly (keyof ManagedValues)[];

/** What a write changes; nothing: no write is needed. */
export function findChanged(before: ManagedValues, next: ManagedValues): (keyof ManagedValues)[] {
  return MANAGED_COLUMNS.filter((column) => before[column] !== next[column]);
}

/** Without a ticket: nobody's browser holds it, and it doesn't go by itself. A taken username or proven address is PostgreSQL's 23505. */
export async function insertManaged(
  db: Queryable,
  values: ManagedValues,
  passwordHash: string,
): Promise<{ id: number }> {
  const places = MANAGED_COLUMNS.map((_, index) => `$${index + 3}`);
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO account_user (password_hash, privacy_settings, ${MANAGED_COLUMNS.join(", ")})
     VALUES ($1, $2, ${places.join(", ")}) RETURNING id`,
    [passwordHash, NEW_ACCOUNT_PRIVACY, ...MANAGED_COLUMNS.map((column) => values[column])],
  );
  if (!rows[0]) throw new Error("The account that was just made has no number.");
  return rows[0];
}

/** `isMoved`: it waits for no other address any more. A registration's ticket ends with the address and the level that it came with. */
export async function updateManaged(
  db: Queryable,
  id: number,
  values: ManagedValues,
  isMoved: boolean,
): Promise<void> {
  const places = MANAGED_COLUMNS.map((_, index) => `$${index + 3}`);
  const assignments = MANAGED_COLUMNS.map((column, index) => `${column} = ${places[index]}`);
  const place = (column: keyof ManagedValues) => places[MANAGED_COLUMNS.indexOf(column)];
  await db.query(
    `UPDATE account_user SET ${assignments.join(", ")}, updated_at = clock_timestamp(),
       pending_email = CASE WHEN $2 THEN NULL ELSE pending_email END,
       registration_ticket_hash = CASE WHEN $2 OR ${place("is_email_verified")} OR access_level_id <> ${place("access_level_id")}
         THEN NULL ELSE registration_ticket_hash END
     WHERE id = $1`,
    [id, isMoved, ...MANAGED_COLUMNS.map((column) => values[column])],
  );
}

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
