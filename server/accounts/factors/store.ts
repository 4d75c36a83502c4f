import type { Passkey } from "#contract/accounts/second-factor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type NamedCredentials, toMoment } from "../store.ts";

/** Whose wrong second factors are counted together: whoever has learnt the password keeps none of the person's own browsers out. */
export type FactorPlace = "known_device" | "anywhere";

/** What an account has beside its password. */
export interface Factors {
  app_since: string | null;
  recovery_codes_left: number;
  passkeys: StoredPasskey[];
  /** Until when the console stays open without one; null: nothing is owed, or was asked for yet. */
  due_at: string | null;
}

export type StoredPasskey = Passkey & {
  credential_id: string;
  transports: string[];
};

/** In one statement, because every log-in asks. */
export async function findFactors(db: Queryable, userId: number): Promise<Factors> {
  const { rows } = await db.query<
    Omit<Factors, "passkeys"> & (StoredPasskey | { [Name in keyof StoredPasskey]: null })
  >(
    `SELECT (SELECT confirmed_at FROM account_app_factor a WHERE a.user_id = u.id) AS app_since,
       (SELECT count(*)::int FROM account_recovery_code r WHERE r.user_id = u.id) AS recovery_codes_left,
       u.second_factor_due_at AS due_at,
       p.id, p.name, p.created_at, p.last_used_at, p.is_synced, p.credential_id, p.transports
     FROM account_user u LEFT JOIN account_passkey p ON p.user_id = u.id
     WHERE u.id = $1 ORDER BY p.created_at, p.id`,
    [userId],
  );
  const [found] = rows;
  if (!found) return { app_since: null, recovery_codes_left: 0, due_at: null, passkeys: [] };
  const { app_since, recovery_codes_left, due_at } = found;
  const passkeys = rows.flatMap(
    ({ app_since: _since, recovery_codes_left: _left, due_at: _due, ...passkey }) =>
      passkey.id === null ? [] : [passkey],
  );
  return { app_since, recovery_codes_left, due_at, passkeys };
}

/** Whether a password alone lets nobody in. */
export function isProtected(factors: Pick<Factors, "app_since" | "passkeys">): boolean {
  return factors.app_since !== null || factors.passkeys.length > 0;
}

/**
 * Whoever uses or changes a factor locks the account before it: a log-in and a change that meet wait for each other in turn. Nobody
 * else does either before the transaction ends.
 */
export async function lockOwner(db: Queryable, userId: number | undefined): Promise<void> {
  await db.query("SELECT FROM account_user WHERE id = $1 FOR UPDATE", [userId ?? null]);
}

export async function lockFactors(db: Queryable, userId: number): Promise<Factors> {
  await lockOwner(db, userId);
  return findFactors(db, userId);
}

export async function findCredentialsById(
  db: Queryable,
  userId: number,
): Promise<NamedCredentials | undefined> {
  const { rows } = await db.query<NamedCredentials>(
    "SELECT id, username, password_hash, device_epoch FROM account_user WHERE id = $1",
    [userId],
  );
  return rows[0];
}

/** What an answer of WebAuthn is checked with. */
export interface PasskeyKey {
  id: number;
  user_id: number;
  credential_id: string;
  public_key: string;
  counter: number;
  transports: string[];
}

/**
 * Locked, and its account before it: of two uses with one count the second one sees the first.
 * @param ownerId Whose it has to be; null: anybody's. Nobody else's account is locked: two people who name each other's would wait for each other.
 */
export async function lockPasskey(
  db: Queryable,
  credentialId: string,
  ownerId: number | null,
): Promise<PasskeyKey | undefined> {
  const owners = await db.query<{ user_id: number }>(
    "SELECT user_id FROM account_passkey WHERE credential_id = $1 AND ($2::integer IS NULL OR user_id = $2)",
    [credentialId, ownerId],
  );
  if (!owners.rows[0]) return undefined;
  await lockOwner(db, owners.rows[0].user_id);
  const { rows } = await db.query<PasskeyKey>(
    `SELECT id, user_id, credential_id, public_key, counter::float8 AS counter, transports
     FROM account_passkey WHERE credential_id = $1 FOR UPDATE`,
    [credentialId],
  );
  return rows[0];
}

export async function insertPasskey(
  db: Queryable,
  passkey: Omit<PasskeyKey, "id"> & { name: string; isSynced: boolean; now: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO account_passkey (user_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    [
      passkey.user_id,
      passkey.credential_id,
      passkey.public_key,
      passkey.counter,
      passkey.transports,
      passkey.isSynced,
      passkey.name,
      toMoment(passkey.now),
    ],
  );
  return rowCount === 1;
}

export async function notePasskeyUse(
  db: Queryable,
  id: number,
  { counter, isSynced, now }: { counter: number; isSynced: boolean; now: number },
): Promise<void> {
  await db.query("UPDATE account_passkey SET counter = $2, is_synced = $3, last_used_at = $4 WHERE id = $1", [
    id,
    counter,
    isSynced,
    toMoment(now),
  ]);
}

/** Undefined: they have none of this number. */
export async function renamePasskey(
  db: Queryable,
  userId: number,
  id: number,
  name: string,
): Promise<boolean> {
  const { rowCount } = await db.query("UPDATE account_passkey SET name = $3 WHERE id = $2 AND user_id = $1", [
    userId,
    id,
    name,
  ]);
  return rowCount === 1;
}

export async function deletePasskey(db: Queryable, userId: number, id: number): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string }>(
    "DELETE FROM account_passkey WHERE id = $2 AND user_id = $1 RETURNING name",
    [userId, id],
  );
  return rows[0]?.name;
}

/** A secret that doesn't count yet; one that does stays. */
export async function putApp(
  db: Queryable,
  app: { userId: number; sealedSecret: string; now: number },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `INSERT INTO account_app_factor (user_id, sealed_secret, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET sealed_secret = EXCLUDED.sealed_secret, created_at = EXCLUDED.created_at, last_step = 0
     WHERE account_app_factor.confirmed_at IS NULL`,
    [app.userId, app.sealedSecret, toMoment(app.now)],
  );
  return rowCount === 1;
}

export interface StoredApp {
  sealed_secret: string;
  confirmed_at: string | null;
  last_step: number;
}

/** The account is locked before it, also for a recovery code that is tried next. */
export async function lockApp(db: Queryable, userId: number): Promise<StoredApp | undefined> {
  await lockOwner(db, userId);
  const { rows } = await db.query<StoredApp>(
    `SELECT sealed_secret, confirmed_at, last_step::float8 AS last_step
     FROM account_app_factor WHERE user_id = $1 FOR UPDATE`,
    [userId],
  );
  return rows[0];
}

/** A code of `step` was used; the first one makes the app count. */
export async function noteAppUse(db: Queryable, userId: number, step: number, now: number): Promise<void> {
  await db.query(
    "UPDATE account_app_factor SET last_step = $2, confirmed_at = COALESCE(confirmed_at, $3) WHERE user_id = $1",
    [userId, step, toMoment(now)],
  );
}

export async function listApps(db: Queryable): Promise<{ user_id: number; sealed_secret: string }[]> {
  const { rows } = await db.query<{ user_id: number; sealed_secret: string }>(
    "SELECT user_id, sealed_secret FROM account_app_factor ORDER BY user_id",
  );
  return rows;
}

/** The same secret, hidden with another key; one that was replaced meanwhile stays. */
export async function putSealedSecret(
  db: Queryable,
  { userId, sealed, next }: { userId: number; sealed: string; next: string },
): Promise<void> {
  await db.query(
    "UPDATE account_app_factor SET sealed_secret = $3 WHERE user_id = $1 AND sealed_secret = $2",
    [userId, sealed, next],
  );
}

export async function deleteApp(db: Queryable, userId: number): Promise<boolean> {
  const { rowCount } = await db.query("DELETE FROM account_app_factor WHERE user_id = $1", [userId]);
  return rowCount === 1;
}

export async function replaceRecoveryCodes(
  db: Queryable,
  userId: number,
  hashes: readonly string[],
): Promise<void> {
  await db.query("DELETE FROM account_recovery_code WHERE user_id = $1", [userId]);
  await db.query("INSERT INTO account_recovery_code (user_id, code_hash) SELECT $1, unnest($2::text[])", [
    userId,
    hashes,
  ]);
}

/** True for the one call that takes it. */
export async function deleteRecoveryCode(db: Queryable, userId: number, hash: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "DELETE FROM account_recovery_code WHERE user_id = $1 AND code_hash = $2",
    [userId, hash],
  );
  return rowCount === 1;
}

/** True for the one call that spends it. `expiresAt` in milliseconds. */
export async function spendTicket(db: Queryable, id: string, expiresAt: number): Promise<boolean> {
  const { rowCount } = await db.query(
    "INSERT INTO account_spent_ticket (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    [id, toMoment(expiresAt)],
  );
  return rowCount === 1;
}

/** Tickets that are over by themselves. */
export async function deleteSpentTickets(db: Queryable, before: number): Promise<void> {
  await db.query("DELETE FROM account_spent_ticket WHERE expires_at <= $1", [toMoment(before)]);
}

/** All of a person's: the command of the site's owner, for who lost everything. False: there was nothing. */
export async function deleteFactors(db: Queryable, userId: number): Promise<boolean> {
  const results = [
    await db.query("DELETE FROM account_passkey WHERE user_id = $1", [userId]),
    await db.query("DELETE FROM account_app_factor WHERE user_id = $1", [userId]),
    await db.query("DELETE FROM account_recovery_code WHERE user_id = $1", [userId]),
  ];
  return results.some(({ rowCount }) => (rowCount ?? 0) > 0);
}
