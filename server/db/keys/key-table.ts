import { hkdfSync } from "node:crypto";
import { createSealing } from "../../base/sealing.ts";
import { CHANNEL } from "../change-notices.ts";
import { DatabaseStartError } from "../embedded/start-error.ts";
import type { Queryable } from "../pool.ts";
import type { KeyPlace } from "./key-place.ts";

/** What the change feed says when keys of the database changed. */
export const SITE_KEYS = "site.key";

const SECRET_BYTES = 32;

/** What KEYS_SECRET gives for one purpose: 32 bytes, the same in every process, and none reveals another or the secret. */
export function deriveFromSecret(keysSecret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", keysSecret, "", `foyer keys secret ${purpose}`, SECRET_BYTES));
}

/** Two processes of the same fingerprint, on one database, have the same keys: the database's rows open with that secret alone. */
export function toFingerprint(keysSecret: string): string {
  return deriveFromSecret(keysSecret, "fingerprint").toString("hex").slice(0, 16);
}

const WRONG_SECRET =
  'KEYS_SECRET isn\'t the one that the keys in this database are sealed with. Nothing was changed. Set the former one; where it is lost, restore a backup, which holds the keys (README, "Keys in the database").';

const createSealingOf = (keysSecret: string) => createSealing([deriveFromSecret(keysSecret, "key files")]);

interface KeyRow {
  name: string;
  sealed: string;
  age_ms: number;
}

const COLUMNS = "name, sealed, (extract(epoch FROM clock_timestamp() - changed_at) * 1000)::float8 AS age_ms";

/** Whether the database holds keys. A database before its migrations has none. */
export async function hasKeyRows(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query("SELECT WHERE to_regclass('public.site_key') IS NOT NULL");
  return rowCount === 1 && ((await db.query("SELECT FROM site_key LIMIT 1")).rowCount ?? 0) > 0;
}

/** Of two that move keys, one does it first. For the rest of the transaction. */
export async function lockKeyTable(db: Queryable): Promise<void> {
  await db.query("LOCK TABLE site_key IN SHARE ROW EXCLUSIVE MODE");
}

export async function deleteKeyRows(db: Queryable): Promise<void> {
  await db.query("DELETE FROM site_key");
}

interface KeyTable extends KeyPlace {
  /** All of them, by name. @throws DatabaseStartError where the secret is another one */
  list(): Promise<ReadonlyMap<string, string>>;
}

/** The table `site_key`. `keysSecret`: KEYS_SECRET. Reading throws DatabaseStartError where the rows are sealed with another one. */
export function openKeyTable(db: Queryable, keysSecret: string): KeyTable {
  const sealing = createSealingOf(keysSecret);
  const openRow = ({ name, sealed }: KeyRow): string => {
    try {
      return sealing.open(name, sealed);
    } catch (error) {
      throw new DatabaseStartError(WRONG_SECRET, { cause: error });
    }
  };
  return {
    isShared: true,
    toTitle: (name) => `${name} of the table site_key`,
    async list() {
      const { rows } = await db.query<KeyRow>(`SELECT ${COLUMNS} FROM site_key ORDER BY name`);
      return new Map(rows.map((row) => [row.name, openRow(row)]));
    },
    async read(name) {
      const { rows } = await db.query<KeyRow>(`SELECT ${COLUMNS} FROM site_key WHERE name = $1`, [name]);
      return rows[0] && { text: openRow(rows[0]), ageMs: rows[0].age_ms };
    },
    async create(name, text) {
      // Older than any clock: nobody has to be told of the first one.
      await db.query(
        `INSERT INTO site_key (name, sealed, changed_at) VALUES ($1, $2, now() - interval '1 day') ON CONFLICT DO NOTHING`,
        [name, sealing.seal(name, text)],
      );
    },
    async replace(name, text) {
      await db.query(
        `WITH written AS (
           UPDATE site_key SET sealed = $2, changed_at = clock_timestamp() WHERE name = $1 RETURNING name)
         SELECT pg_notify('${CHANNEL}', '${SITE_KEYS}') FROM written`,
        [name, sealing.seal(name, text)],
      );
    },
  };
}
