import type { Queryable } from "#server/db/pool.ts";
import type { Account } from "../account.ts";
import { ACCOUNT_COLUMNS, toMoment } from "../store.ts";

const ACCOUNTS = "account_user u JOIN access_level l ON l.id = u.access_level_id";

/** Columns that a person writes here. */
export const OWN_COLUMNS = [
  "username",
  "bio",
  "first_name",
  "last_name",
  "admin_theme",
  "admin_language",
  "voice_preferences",
  "notification_preferences",
  "privacy_settings",
  "avatar",
  "cover",
] as const;
export type OwnColumn = (typeof OWN_COLUMNS)[number];
/** An account with the column that only voice rooms read. */
export type OwnAccount = Account & { voice_status: "online" | "away" | "busy" | "offline" };
export type OwnChange = Partial<Pick<OwnAccount, OwnColumn>>;

const COLUMNS = `${ACCOUNT_COLUMNS}, u.voice_status`;

export async function findOwnAccount(db: Queryable, userId: number): Promise<OwnAccount | undefined> {
  const { rows } = await db.query<OwnAccount>(`SELECT ${COLUMNS} FROM ${ACCOUNTS} WHERE u.id = $1`, [userId]);
  return rows[0];
}

/** The same, and nobody else changes the account before the transaction ends. */
export async function lockOwnAccount(db: Queryable, userId: number): Promise<OwnAccount | undefined> {
  const { rows } = await db.query<OwnAccount>(
    `SELECT ${COLUMNS} FROM ${ACCOUNTS} WHERE u.id = $1 FOR UPDATE OF u`,
    [userId],
  );
  return rows[0];
}

/** A taken username is PostgreSQL's 23505. `now` in milliseconds. */
export async function updateOwnAccount(
  db: Queryable,
  userId: number,
  change: OwnChange,
  now: number,
): Promise<void> {
  const columns = OWN_COLUMNS.filter((column) => change[column] !== undefined);
  const assignments = columns.map((column, index) => `${column} = $${index + 3}`);
  await db.query(`UPDATE account_user SET ${["updated_at = $2", ...assignments].join(", ")} WHERE id = $1`, [
    userId,
    toMoment(now),
    ...columns.map((column) => change[column]),
  ]);
}

/** When the account was signed in to; null: never, or it is gone. */
export async function findLastLogin(db: Queryable, userId: number): Promise<string | null> {
  const { rows } = await db.query<{ last_login_at: string | null }>(
    "SELECT last_login_at FROM account_user WHERE id = $1",
    [userId],
  );
  return rows[0]?.last_login_at ?? null;
}
