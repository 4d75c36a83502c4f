import { chmod, type FileHandle, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { writeWhole } from "#server/base/write-whole.ts";
import type { Queryable } from "#server/db/pool.ts";

export interface FileRow {
  key: string;
  name: string;
  mediaType: string;
  byteSize: number;
  uploadedBy: number | null;
}

/** The new row's id, undefined when the same content is stored already. */
export async function insertFile(db: Queryable, file: FileRow): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO stored_file (key, name, media_type, byte_size, uploaded_by_id, is_stripped) VALUES ($1, $2, $3, $4, $5, true)
     ON CONFLICT (key) DO NOTHING RETURNING id`,
    [file.key, file.name, file.mediaType, file.byteSize, file.uploadedBy],
  );
  return rows[0]?.id;
}

/** For right bytes that were stored anew. @returns whether the daily check had found the former ones wrong. */
export async function clearFault(db: Queryable, key: string): Promise<boolean> {
  const { rowCount } = await db.query(
    "UPDATE stored_file SET fault = NULL WHERE key = $1 AND fault IS NOT NULL",
    [key],
  );
  return rowCount === 1;
}

export async function hasFile(db: Queryable, key: string): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM stored_file WHERE key = $1", [key]);
  return rowCount === 1;
}

/** Of names in the storage, those that are no file's. */
export async function selectUnnamed(db: Queryable, names: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ entry: string }>(
    "SELECT entry FROM unnest($1::text[]) AS entry WHERE NOT EXISTS (SELECT FROM stored_file WHERE key = entry)",
    [names],
  );
  return rows.map(({ entry }) => entry);
}

interface FoundFile {
  id: number;
  key: string;
  name: string;
  media_type: string;
}

export async function findFile(db: Queryable, key: string): Promise<FoundFile | undefined> {
  const { rows } = await db.query<FoundFile>(
    "SELECT id, key, name, media_type FROM stored_file WHERE key = $1",
    [key],
  );
  return rows[0];
}

/** The row by its number, so that nobody else deletes or names it until the transaction ends. */
export async function lockFile(db: Queryable, id: number): Promise<FoundFile | undefined> {
  const { rows } = await db.query<FoundFile>(
    "SELECT id, key, name, media_type FROM stored_file WHERE id = $1 FOR UPDATE",
    [id],
  );
  return rows[0];
}

/** A file as the daily check knows it. */
export interface CheckedFile extends FoundFile {
  fault: "missing" | "damaged" | null;
  is_stripped: boolean;
  uploaded_by_id: number | null;
}

/** Files that were not looked at since `before`, the longest ago first. Two questions, because one with OR reads all that aren't due. */
export async function selectDueFiles(db: Queryable, before: Date, limit: number): Promise<CheckedFile[]> {
  const { rows } = await db.query<CheckedFile>(
    `SELECT id, key, name, media_type, fault, is_stripped, uploaded_by_id FROM (
       (SELECT * FROM stored_file WHERE checked_at IS NULL ORDER BY checked_at NULLS FIRST, id LIMIT $2)
       UNION ALL
       (SELECT * FROM stored_file WHERE checked_at <= $1 ORDER BY checked_at NULLS FIRST, id LIMIT $2)
     ) due ORDER BY checked_at NULLS FIRST, id LIMIT $2`,
    [before, limit],
  );
  return rows;
}

export async function setChecked(
  db: Queryable,
  id: number,
  fault: CheckedFile["fault"],
  at: Date,
): Promise<void> {
  await db.query("UPDATE stored_file SET checked_at = $2, fault = $3 WHERE id = $1", [id, at, fault]);
}

export async function setStripped(db: Queryable, id: number): Promise<void> {
  await db.query("UPDATE stored_file SET is_stripped = true WHERE id = $1", [id]);
}

/** What the daily check knows: how many files there are, when the last one was read, and which are faulty, those in use first. */
export async function selectCheckState(
  db: Queryable,
  usedKeys: string,
): Promise<{ count: number; checked_at: string | null; faulty: { name: string; is_used: boolean }[] }> {
  const { rows } = await db.query<Awaited<ReturnType<typeof selectCheckState>>>(
    `SELECT count(*)::integer AS count, max(checked_at)::text AS checked_at,
       coalesce(json_agg(json_build_object('name', f.name, 'is_used', f.key IN (SELECT k.key FROM (${usedKeys}) k WHERE k.key IS NOT NULL)))
         FILTER (WHERE f.fault IS NOT NULL), '[]'::json) AS faulty
     FROM stored_file f`,
  );
  return rows[0] ?? { count: 0, checked_at: null, faulty: [] };
}

export async function deleteFileRow(db: Queryable, key: string): Promise<void> {
  await db.query("DELETE FROM stored_file WHERE key = $1", [key]);
}

/** Until the transaction ends, nobody else stores or removes the bytes of this file. */
export async function lockKey(db: Queryable, key: string): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('file ' || $1, 0))", [key]);
}

/** One thing that lies in a storage. */
export interface StoredEntry {
  /** Its key; or the name of a draft that a crash left, which is no key and can be deleted. */
  name: string;
  byteSize: number;
  writtenAt: Date;
  /** In hex, where the place knows it without reading. */
  md5?: string | undefined;
}

/** Where the bytes of files are. Keys are `<hash>.<ending>`; equal keys mean equal content. */
export interface FileStorage {
  put(key: string, content: Uint8Array): Promise<void>;
  /** The content and its size in bytes, undefined when there is none. */
  open(key: string): Promise<{ stream: Readable; byteSize: number } | undefined>;
  /** The size alone, undefined when there is no such file. */
  stat(key: string): Promise<{ byteSize: number } | undefined>;
  /** @param name a key, or a name that `list` gave */
  delete(name: string): Promise<void>;
  /** All that is there, in the order of the names. What somebody else put beside it isn't named. */
  list(): AsyncIterable<StoredEntry>;
}

const KEY = /^[0-9a-f]{32}\.[a-z0-9]{1,5}$/;
/** As `writeWhole` calls what it hasn't finished. */
const DRAFT = /^[0-9a-f]{32}\.[a-z0-9]{1,5}\.[0-9a-f]{8}\.part$/;
const GROUP = /^[0-9a-f]{2}$/;
export const isFileKey = (name: string) => KEY.test(name);

/** Where a file lies below its storage, in a folder as in a bucket: spread by the first two digits. */
export function toStoredPath(name: string): string {
  if (!KEY.test(name) && !DRAFT.test(name)) throw new Error("not a file key");
  return `${name.slice(0, 2)}/${name}`;
}

/** The site alone says who may open a file: nothing else on the machine reads them. */
const [FOLDER_MODE, FILE_MODE] = [0o700, 0o600];

/** Closes a folder that an older version made, or a copy left open. One that isn't there is made when it is needed. */
export async function closeFolder(folder: string): Promise<void> {
  await chmod(folder, FOLDER_MODE).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

async function readFolder(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return []; // nothing was stored yet
    throw error;
  });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Undefined: it was deleted meanwhile. */
async function readStats(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

async function* listFolder(folder: string): AsyncGenerator<StoredEntry> {
  for (const group of await readFolder(folder)) {
    if (!group.isDirectory() || !GROUP.test(group.name)) continue;
    for (const file of await readFolder(join(folder, group.name))) {
      const { name } = file;
      if (!file.isFile() || !name.startsWith(group.name) || !(KEY.test(name) || DRAFT.test(name))) continue;
      const stats = await readStats(join(folder, group.name, name));
      if (stats) yield { name, byteSize: stats.size, writtenAt: stats.mtime };
    }
  }
}

/** Files in a folder, spread over 256 sub-folders by the first two digits of the key. */
export function createLocalStorage(folder: string): FileStorage {
  const toPath = (name: string) => join(folder, toStoredPath(name));
  return {
    async put(key, content) {
      const path = toPath(key);
      await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
      await writeWhole(path, content, FILE_MODE);
    },
    async open(key) {
      if (!KEY.test(key)) return undefined;
      // Opened before it is answered: a stream that fails to open would end the process where nobody reads it.
      let handle: FileHandle | undefined;
      try {
        handle = await open(toPath(key));
        const { size } = await handle.stat();
        return { stream: handle.createReadStream(), byteSize: size };
      } catch (error) {
        await handle?.close();
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
    async stat(key) {
      const stats = KEY.test(key) ? await readStats(toPath(key)) : undefined;
      return stats && { byteSize: stats.size };
    },
    async delete(name) {
      await rm(toPath(name), { force: true });
    },
    list: () => listFolder(folder),
  };
}
