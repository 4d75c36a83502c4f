import type { Language } from "#contract/languages.ts";
import type { Queryable } from "../../db/pool.ts";
import type { SuppressionState } from "../../models/declared/mail-suppression.ts";
import { OPTIONAL_KINDS } from "../kinds.ts";
import { stopKeysSql } from "../secrets.ts";

/** Any number, the same in every version: shared by who locks few addresses, held alone by who locks many. */
const ADDRESSES_LOCK = 4_701_927;
/** Each has several locks, and the database's list of them is for all its connections: an import must not fill it. */
const MAX_LOCKED_APART = 100;

/** An address that is to get no mail (`all`), or none but codes and security notices (`optional`). */
export interface Suppression {
  /** As `toAddressKey` writes it. */
  address: string;
  scope: "all" | "optional";
  reason: string;
  /** What reported it: `unsubscribe`, `admin`, `bounce`, `complaint`. */
  source: string;
  sourceEventId: number | null;
  createdById: number | null;
  /** ISO moment; null: for good. */
  expiresAt: string | null;
}

/** `address`: its key, or what stands for it since its account was deleted. */
export type StoredSuppression = SuppressionState & { id: number; address: string };

const COLUMNS = "id, address, scope, reason, source, source_event_id, created_by_id, created_at, expires_at";

/**
 * One at a time changes what holds for an address, so that "before" is what was there. In one order: nobody waits in a ring.
 * `secrets` here and below: those of `MailSecrets` that hash addresses.
 */
export async function lockAddresses(
  db: Queryable,
  addresses: readonly string[],
  secrets: readonly Buffer[],
): Promise<void> {
  if (addresses.length > MAX_LOCKED_APART) {
    await db.query("SELECT pg_advisory_xact_lock($1)", [ADDRESSES_LOCK]);
    return;
  }
  await db.query(
    `SELECT pg_advisory_xact_lock_shared($3), pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT hashtextextended('mail stop ' || stored, 0) AS key
       FROM unnest($1::text[]) AS address, unnest(${stopKeysSql("address", "$2")}) AS stored ORDER BY key
     ) AS keys`,
    [addresses, secrets, ADDRESSES_LOCK],
  );
}

/** What stands for the addresses, over or not; they are locked. `key`: the address as it was asked for. */
export async function selectSuppressions(
  db: Queryable,
  addresses: readonly string[],
  scope: SuppressionState["scope"],
  secrets: readonly Buffer[],
): Promise<(StoredSuppression & { key: string })[]> {
  const { rows } = await db.query<StoredSuppression & { key: string }>(
    `SELECT asked.key, ${COLUMNS} FROM unnest($1::text[]) AS asked(key), unnest(${stopKeysSql("asked.key", "$3")}) AS names(stored)
     JOIN mail_suppression ON address = stored WHERE scope = $2`,
    [addresses, scope, secrets],
  );
  return rows;
}

/** Rows by their numbers, as they stand. */
export async function selectByIds(db: Queryable, ids: readonly number[]): Promise<StoredSuppression[]> {
  const { rows } = await db.query<StoredSuppression>(
    `SELECT ${COLUMNS} FROM mail_suppression WHERE id = ANY($1::integer[]) ORDER BY id`,
    [ids],
  );
  return rows;
}

/** Writes rows anew, each with everything that it had or is to have. Events and people that are gone are left out. */
export async function putSuppressions(
  db: Queryable,
  states: readonly (SuppressionState & { address: string })[],
  now: Date,
): Promise<StoredSuppression[]> {
  const { rows } = await db.query<StoredSuppression>(
    `INSERT INTO mail_suppression (address, scope, reason, source, source_event_id, created_by_id, created_at, expires_at, updated_at)
     SELECT address, scope, reason, source, (SELECT id FROM mail_event WHERE id = source_event_id),
       (SELECT id FROM account_user WHERE id = created_by_id), created_at, expires_at, $2
     FROM jsonb_to_recordset($1::jsonb) AS state(address text, scope text, reason text, source text, source_event_id integer,
       created_by_id integer, created_at timestamptz, expires_at timestamptz)
     ON CONFLICT (address, scope) DO UPDATE SET reason = EXCLUDED.reason, source = EXCLUDED.source,
       source_event_id = EXCLUDED.source_event_id, created_by_id = EXCLUDED.created_by_id, created_at = EXCLUDED.created_at,
       expires_at = EXCLUDED.expires_at, updated_at = EXCLUDED.updated_at
     RETURNING ${COLUMNS}`,
    [JSON.stringify(states), now],
  );
  return rows;
}

export async function deleteSuppressions(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query("DELETE FROM mail_suppression WHERE id = ANY($1::integer[])", [ids]);
}

export interface SuppressionChange {
  id: number;
  address: string;
  scope: "all" | "optional";
  before: SuppressionState | null;
  after: SuppressionState | null;
}

/** `objectId`: the row's number, by which its entries in the log are found when its person is forgotten. */
export async function insertChanges(
  db: Queryable,
  changes: readonly (Omit<SuppressionChange, "id"> & { objectId: number })[],
  { batchId, actorId, now }: { batchId: string; actorId: number | null; now: Date },
): Promise<void> {
  await db.query(
    `INSERT INTO mail_suppression_change (created_at, batch_id, actor_id, address, scope, before, after)
     SELECT $2, $3, $4, address, scope, nullif(before, 'null') || number, nullif(after, 'null') || number
     FROM jsonb_to_recordset($1::jsonb) AS change(address text, scope text, before jsonb, after jsonb, "objectId" integer),
       jsonb_build_object('object_id', "objectId") AS number`,
    [JSON.stringify(changes), now, batchId, actorId],
  );
}

/** Addresses of what one call did and nobody undid yet. */
export async function selectChangedAddresses(db: Queryable, batchId: string): Promise<string[]> {
  const { rows } = await db.query<{ address: string }>(
    "SELECT DISTINCT address FROM mail_suppression_change WHERE batch_id = $1 AND undone_at IS NULL",
    [batchId],
  );
  return rows.map(({ address }) => address);
}

/** What one call did and nobody undid yet, the latest first; locked. */
export async function lockChanges(db: Queryable, batchId: string): Promise<SuppressionChange[]> {
  const { rows } = await db.query<SuppressionChange>(
    `SELECT id, address, scope, before - 'object_id' AS before, after - 'object_id' AS after FROM mail_suppression_change
     WHERE batch_id = $1 AND undone_at IS NULL ORDER BY id DESC FOR UPDATE`,
    [batchId],
  );
  return rows;
}

export async function markUndone(db: Queryable, ids: readonly number[], now: Date): Promise<void> {
  await db.query("UPDATE mail_suppression_change SET undone_at = $2 WHERE id = ANY($1::integer[])", [
    ids,
    now,
  ]);
}

export async function deleteChangesBefore(db: Queryable, before: Date): Promise<void> {
  await db.query("DELETE FROM mail_suppression_change WHERE created_at < $1", [before]);
}

/** As tokens are written; PostgreSQL has no place for some of what else an address can hold. */
const TOKEN = /^[\da-f]+$/;

/** To whom a message that can be stopped went, by its token; undefined when there is none, or when its person is forgotten. */
export async function selectRecipient(
  db: Queryable,
  token: string,
): Promise<{ recipient: string; language: Language } | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const { rows } = await db.query<{ recipient: string; language: Language }>(
    "SELECT recipient, language FROM mail_message WHERE token = $1 AND recipient <> '' AND kind = ANY($2)",
    [token, OPTIONAL_KINDS],
  );
  return rows[0];
}

/** Of the way out itself: the link in a mail was used. Once a mail. */
export async function insertUnsubscribed(db: Queryable, token: string, now: Date): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO mail_event (created_at, occurred_at, message_id, kind, source, event_key, recipient, recipient_key, parser_version)
     SELECT $2, $2, id, 'unsubscribed', 'outbox', id || ' unsubscribed', recipient, recipient_key, 0
     FROM mail_message WHERE token = $1
     ON CONFLICT DO NOTHING RETURNING id`,
    [token, now],
  );
  return rows[0]?.id ?? null;
}
