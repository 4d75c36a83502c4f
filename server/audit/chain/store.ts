import type { Queryable } from "#server/db/pool.ts";
import type { SealFacts } from "./signature.ts";

/*
 * An entry's digest is over what never changes of it, and over two digests of what an erasure may take: who did it from where,
 * and what it says of the object. Each of those has a random salt. An erasure keeps the two digests and forgets the salts, so
 * that the entry still proves itself and nobody can guess from the digest what stood there.
 */
const digest = (json: string) => `sha256(convert_to(${json}::text, 'UTF8'))`;
const part = (name: string, columns: string) =>
  `CASE WHEN ${name}_salt IS NULL THEN coalesce(decode(${name}_digest, 'hex'), '') ELSE ${digest(`jsonb_build_array(${name}_salt, ${columns})`)} END`;

const ACTOR_DIGEST = part("actor", "username, ip_address");
const OBJECT_DIGEST = part("object", "object_repr, change_message, changes");
const ENTRY_DIGEST = `sha256(convert_to(jsonb_build_array(id, extract(epoch FROM timestamp), user_id, action_type, detail,
  content_type_id, object_id, request_id, batch_id, is_folded)::text, 'UTF8') || ${ACTOR_DIGEST} || ${OBJECT_DIGEST})`;

export interface Seal extends SealFacts {
  hash: string;
  signature: string;
  gone: string | null;
  gone_signature: string | null;
}

const SEAL = `id, after_entry, last_entry, entries, root, encode(sha256(listing), 'hex') AS listing_hash, previous_hash,
  (extract(epoch FROM sealed_at) * 1000)::bigint AS sealed_ms, hash, signature, gone, gone_signature`;

export async function selectLastSeal(db: Queryable): Promise<Seal | undefined> {
  return (await db.query<Seal>(`SELECT ${SEAL} FROM audit_seal ORDER BY id DESC LIMIT 1`)).rows[0];
}

/** Seals from a number on, by number. */
export async function selectSeals(db: Queryable, from: string, limit: number): Promise<Seal[]> {
  const sql = `SELECT ${SEAL} FROM audit_seal WHERE id >= $1::bigint ORDER BY id LIMIT $2`;
  return (await db.query<Seal>(sql, [from, limit])).rows;
}

/** The highest number that any entry got so far, of writes that still run too. */
export async function selectHighestNumber(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ last: string }>(
    "SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM audit_entry_id_seq",
  );
  return rows[0]?.last ?? "0";
}

/** Transactions that write the log or may: PostgreSQL locks the table for them before it gives them a number. */
export async function selectWriters(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ writer: string }>(
    `SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
     WHERE locktype = 'relation' AND relation = 'audit_entry'::regclass AND mode = 'RowExclusiveLock'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.map(({ writer }) => writer);
}

/** Number of the last of the next `size` entries above one number and not above another; null: there are none. */
export async function selectBatchEnd(
  db: Queryable,
  range: { after: string; until: string; size: number },
): Promise<string | null> {
  const { rows } = await db.query<{ end: string | null }>(
    `SELECT max(id) AS end FROM (SELECT id FROM audit_entry WHERE id > $1::bigint AND id <= $2::bigint ORDER BY id LIMIT $3) e`,
    [range.after, range.until, range.size],
  );
  return rows[0]?.end ?? null;
}

export interface Content {
  entries: number;
  root: string;
  /** In hex. */
  listing: string;
}

/** Entries of which a batch is made; `gone` are lines of `number:digest` of those that the retention took from it. */
export async function readContent(
  db: Queryable,
  { after_entry, last_entry }: Pick<SealFacts, "after_entry" | "last_entry">,
  gone: string | null,
): Promise<Content> {
  const { rows } = await db.query<Content>(
    `WITH e AS MATERIALIZED (
       SELECT id, ${ENTRY_DIGEST} AS digest FROM audit_entry WHERE id > $1::bigint AND id <= $2::bigint
       UNION SELECT split_part(line, ':', 1)::bigint, decode(split_part(line, ':', 2), 'hex')
       FROM unnest(string_to_array($3::text, ',')) AS line)
     SELECT count(*)::integer AS entries,
       encode(sha256(coalesce(string_agg(int8send(id) || digest, ''::bytea ORDER BY id), '')), 'hex') AS root,
       encode(coalesce(string_agg(int8send(id) || substr(digest, 1, 8), ''::bytea ORDER BY id), ''), 'hex') AS listing
     FROM e`,
    [after_entry, last_entry, gone],
  );
  return rows[0] ?? { entries: 0, root: "", listing: "" };
}

/** In hex, as the seal has it. */
export async function readListing(db: Queryable, id: string): Promise<string> {
  const { rows } = await db.query<{ listing: string }>(
    "SELECT encode(listing, 'hex') AS listing FROM audit_seal WHERE id = $1::bigint",
    [id],
  );
  return rows[0]?.listing ?? "";
}

export async function insertSeal(
  db: Queryable,
  seal: Omit<Seal, "gone" | "gone_signature" | "listing_hash">,
  listing: string,
): Promise<void> {
  await db.query(
    `INSERT INTO audit_seal (id, after_entry, last_entry, entries, root, listing, previous_hash, sealed_at, hash, signature)
     VALUES ($1::bigint, $2::bigint, $3::bigint, $4, $5, decode($6, 'hex'), $7, to_timestamp($8::bigint / 1000.0), $9, $10)`,
    [
      seal.id,
      seal.after_entry,
      seal.last_entry,
      seal.entries,
      seal.root,
      listing,
      seal.previous_hash,
      seal.sealed_ms,
      seal.hash,
      seal.signature,
    ],
  );
}

export type AgingSeal = Pick<
  Seal,
  "id" | "hash" | "after_entry" | "last_entry" | "entries" | "root" | "gone"
> & { going: string };

/** Batches that have entries from before a moment, with those as lines of `number:digest`. */
export async function selectAging(db: Queryable, before: string): Promise<AgingSeal[]> {
  const { rows } = await db.query<AgingSeal>(
    `SELECT s.id, s.hash, s.after_entry, s.last_entry, s.entries, s.root, s.gone, e.going FROM audit_seal s CROSS JOIN LATERAL (
       SELECT string_agg(id || ':' || encode(${ENTRY_DIGEST}, 'hex'), ',' ORDER BY id) AS going FROM audit_entry
       WHERE id > s.after_entry AND id <= s.last_entry AND timestamp < $1) e
     WHERE s.gone IS DISTINCT FROM 'all' AND e.going IS NOT NULL ORDER BY s.id`,
    [before],
  );
  return rows;
}

export async function updateGone(db: Queryable, id: string, gone: string, signature: string): Promise<void> {
  await db.query("SELECT foyer_log_note_gone($1, $2, $3)", [id, gone, signature]);
}

/** Entries of which a part was erased that show in its place what an erasure never leaves; the lowest numbers. */
export async function selectFalseErasures(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM audit_entry WHERE (actor_salt IS NULL AND ip_address IS NOT NULL)
       OR (object_salt IS NULL AND (change_message <> '' OR changes IS NOT NULL)) ORDER BY id LIMIT $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

/** When the oldest entry was written that is in no seal; null: all are. In milliseconds. */
export async function findOldestUnsealed(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ at: string | null }>(
    `SELECT extract(epoch FROM min(timestamp)) * 1000 AS at FROM audit_entry
     WHERE id > coalesce((SELECT max(last_entry) FROM audit_seal), 0)`,
  );
  return rows[0]?.at ? Number(rows[0].at) : null;
}

export async function countEntries(db: Queryable): Promise<{ erased: number; unsealed: number }> {
  const { rows } = await db.query<{ erased: number; unsealed: number }>(
    `SELECT count(*) FILTER (WHERE actor_salt IS NULL OR object_salt IS NULL)::integer AS erased,
       count(*) FILTER (WHERE id > coalesce((SELECT max(last_entry) FROM audit_seal), 0))::integer AS unsealed
     FROM audit_entry`,
  );
  return rows[0] ?? { erased: 0, unsealed: 0 };
}

/** Entries of a seal as the second sink gets them: what the log shows to staff, without values. Undefined: there is no such seal. */
export async function selectSealedLines(
  db: Queryable,
  id: string,
): Promise<{ timestamp: string; line: string }[] | undefined> {
  const { rows } = await db.query<{ timestamp: string; line: string | null }>(
    `SELECT to_char(e.timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS timestamp,
       CASE WHEN e.id IS NOT NULL THEN json_build_object('id', e.id, 'seal', s.id, 'timestamp', e.timestamp, 'user_id', e.user_id,
         'username', e.username, 'action_type', e.action_type, 'detail', e.detail, 'content_type_id', e.content_type_id,
         'object_id', e.object_id, 'object_repr', e.object_repr, 'change_message', e.change_message, 'ip_address', e.ip_address,
         'request_id', e.request_id)::text END AS line
     FROM audit_seal s LEFT JOIN audit_entry e ON e.id > s.after_entry AND e.id <= s.last_entry WHERE s.id = $1::bigint ORDER BY e.id`,
    [id],
  );
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ timestamp, line }) => (line === null ? [] : [{ timestamp, line }]));
}
