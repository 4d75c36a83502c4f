import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
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

export async function hasFile(db: Queryable, key: string): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM stored_file WHERE key = $1", [key]);
  return rowCount === 1;
}

export async function deleteFileRow(db: Queryable, key: string): Promise<void> {
  await db.query("DELETE FROM stored_file WHERE key = $1", [key]);
}

/** Until the transaction ends, nobody else stores or removes the bytes of this file. */
export async function lockKey(db: Queryable, key: string): Promise<void> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('file ' || $1, 0))", [key]);
}

/** Where the bytes of files are. Keys are `<hash>.<ending>`; equal keys mean equal content. */
export interface FileStorage {
  put(key: string, content: Uint8Array): Promise<void>;
  /** The content and its size in bytes, undefined when there is none. */
  open(key: string): Promise<{ stream: Readable; byteSize: number } | undefined>;
  delete(key: string): Promise<void>;
}

const KEY = /^[0-9a-f]{32}\.[a-z0-9]{1,5}$/;
const FILE_MODE = 0o644;

/** Files in a folder, spread over 256 sub-folders by the first two digits of the key. */
export function createLocalStorage(folder: string): FileStorage {
  const toPath = (key: string) => {
    if (!KEY.test(key)) throw new Error("not a file key");
    return join(folder, key.slice(0, 2), key);
  };
  return {
    async put(key, content) {
      const path = toPath(key);
      await mkdir(dirname(path), { recursive: true });
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
    async delete(key) {
      await rm(toPath(key), { force: true });
    },
  };
}
