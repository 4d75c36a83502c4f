import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type pg from "pg";
import { ensureAuditPartitions } from "#server/audit/months.ts";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { createPool } from "#server/db/pool.ts";
import { selectTables } from "#server/db/verify.ts";
import * as tables from "#server/tables.ts";
import { createTestDatabase } from "#test/database.ts";
import { NO_STORES, type RemoteStores } from "./remote-stores.ts";
import type { RestoreOptions } from "./restore-backup.ts";
import { type BackupOptions, writeBackup } from "./write-backup.ts";

export const NOW = new Date("2026-11-20T12:00:00Z");
const FILE_KEY = `${"ab12".repeat(8)}.png`;
export const UPLOAD = `files/ab/${FILE_KEY}`;

type Connection = Parameters<typeof createPool>[0];

export function openPool(connection: Connection, max = 1): pg.Pool {
  return createPool(connection, { name: "test", max, onError: () => {} });
}

export async function writeDataFile(dataDir: string, path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(dataDir, path)), { recursive: true });
  await writeFile(join(dataDir, path), content);
}

/** Rows of every shape that a copy could spoil: text that looks like its own syntax, numbers that were given and taken. */
async function fillDatabase(pool: pg.Pool): Promise<void> {
  await ensureAuditPartitions(pool, new Date("2026-08-01T00:00:00Z"));
  await pool.query(`
    INSERT INTO account_user (username, email, password_hash, access_level_id, first_name, bio)
    SELECT 'person_' || n, 'person_' || n || '@example.org', 'hash', (SELECT id FROM access_level WHERE level = 1),
      (ARRAY['', 'Işıl', E'back\\\\slash', E'tab\\tand\\nline', E'\\\\.', E'\\\\N', '"quoted", with comma'])[1 + n % 7], ''
    FROM generate_series(1, 40) n;
    DELETE FROM account_user WHERE username = 'person_40';
    INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ('${FILE_KEY}', 'şekil.png', 'image/png', 4);
    INSERT INTO cv_certificate (label, issuer, file)
    VALUES ('{"en": "Load tests", "tr": "Yük testleri"}', NULL, '${FILE_KEY}');
    INSERT INTO audit_entry (timestamp, user_id, username, action_type, change_message, changes)
    SELECT timestamptz '2026-08-01 00:00:00+00' + n * interval '5 hours', 1, 'person_1', 'UPDATE', 'entry ' || n,
      jsonb_build_object('field', jsonb_build_object('before', n, 'after', E'a\\nb'))
    FROM generate_series(0, 800) n;
    INSERT INTO audit_entry (timestamp, action_type, change_message) VALUES ('2019-01-01', 'UPDATE', 'kept by the default partition')`);
}

async function fillDataDir(dataDir: string): Promise<void> {
  await writeDataFile(dataDir, UPLOAD, Buffer.from([137, 80, 78, 71]));
  await writeDataFile(dataDir, `people/cd/${"cd34".repeat(8)}.webp`, "picture");
  await writeDataFile(dataDir, "mail/20261120T120000Z-1.eml", "Subject: hello\r\n");
  await writeDataFile(dataDir, "keys/access-token.json", '{"keys":[]}');
  await writeDataFile(dataDir, `pictures/ab/${FILE_KEY}`, "a cache");
  await writeDataFile(dataDir, `files/ab/${FILE_KEY}.0a1b2c3d.part`, "a draft");
}

/** A site with rows and files, and a backup of it. */
export async function makeSite(stores: RemoteStores = NO_STORES) {
  const database = await createTestDatabase();
  const { folder, remove } = await makeTestFolder();
  await fillDatabase(database.pool);
  await fillDataDir(folder);
  return {
    ...database,
    dataDir: folder,
    backUp: (
      file = join(folder, "backup.zip"),
      onProgress: (line: string) => void = () => {},
      given: Partial<BackupOptions> = {},
    ) =>
      writeBackup({
        pool: database.pool,
        dataDir: folder,
        stores,
        file,
        appVersion: "0.1.0",
        now: NOW,
        onProgress,
        ...given,
      }).then((report) => ({ ...report, file })),
    async close() {
      await database.close();
      await remove();
    },
  };
}

export function toRestoreOptions(file: string, dataDir: string, connection: Connection): RestoreOptions {
  return {
    file,
    dataDir,
    tables: selectTables(tables),
    openTarget: async () => {
      const pool = openPool(connection);
      return { pool, close: () => pool.end() };
    },
    now: () => NOW,
    keepFormer: undefined,
    onProgress: () => {},
  };
}

/** What every table holds, generated columns among it, by a hash of its rows; but for a restore's own entry, and the alarm that it holds mail with. */
export async function hashTables(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'mail_alarm' ORDER BY 1`,
  );
  const hashes: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: found } = await pool.query<{ hash: string }>(
      `SELECT count(*) || ' ' || md5(coalesce(string_agg(to_jsonb(t)::text, '|' ORDER BY to_jsonb(t)::text COLLATE "C"), '')) AS hash
       FROM ${name} t WHERE to_jsonb(t) ->> 'detail' IS DISTINCT FROM 'restore'`,
    );
    hashes[name] = found[0]?.hash ?? "";
  }
  return hashes;
}

/** Files below a folder with their content, as one value to compare. */
export async function readFolder(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const pairs = files.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(folder.length + 1), (await readFile(path)).toString("base64")];
  });
  return Object.fromEntries((await Promise.all(pairs)).sort());
}
