import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";

/** The text of a key file. */
export interface KeyFile {
  text: string;
  /** How long ago it was put there, in milliseconds, where all processes of the site go by one clock; else undefined. */
  ageMs?: number;
}

/**
 * Where the site's key files are: in `keys` of the data folder, or in the database, sealed. `name` is that of a file, for instance
 * `access-token.json`. What is in it is known by whoever loads it.
 */
export interface KeyPlace {
  /** Whether all processes on the database have it, and hear of changes while they run. */
  isShared: boolean;
  /** What messages call a file. */
  toTitle(name: string): string;
  /** Undefined: there is none. */
  read(name: string): Promise<KeyFile | undefined>;
  /** Puts a text where there is none. What is there stays: of two that come at once one wins. */
  create(name: string, text: string): Promise<void>;
  /** Puts a text in place of the one that is there. */
  replace(name: string, text: string): Promise<void>;
}

const KEY_FILE = /^[a-z-]+\.(?:json|key)$/;

const toFolder = (dataDir: string) => join(dataDir, "keys");

/** Undefined where there is no such file. */
async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
}

/**
 * Writes a file that only its owner may read, whole or not at all: `put` moves the finished draft, which stands in the same
 * folder, to its place. A draft never stays.
 */
async function writeWhole(
  path: string,
  text: string,
  put: (draft: string, path: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await put(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** `<dataDir>/keys`, which only its owner may enter. */
export function openKeyFolder(dataDir: string): KeyPlace {
  const folder = toFolder(dataDir);
  const toPath = (name: string) => join(folder, name);
  const openFolder = () => mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    isShared: false,
    toTitle: toPath,
    async read(name) {
      const text = await readIfThere(toPath(name));
      if (text === undefined) return undefined;
      // A folder that came back from a backup or a copy may be open to others.
      await chmod(folder, 0o700);
      await chmod(toPath(name), 0o600);
      return { text };
    },
    async create(name, text) {
      await openFolder();
      // `link` never replaces a file.
      await writeWhole(toPath(name), text, link).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
    },
    async replace(name, text) {
      await openFolder();
      await writeWhole(toPath(name), text, rename);
    },
  };
}

/** What a data folder holds of key files, by name. A folder that isn't there holds none. */
export async function readKeyFolder(dataDir: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(toFolder(dataDir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return [];
  });
  const files = new Map<string, string>();
  for (const name of names.filter((one) => KEY_FILE.test(one))) {
    const text = await readIfThere(join(toFolder(dataDir), name));
    if (text !== undefined) files.set(name, text);
  }
  return files;
}

/** Takes a key file out of a data folder. */
export function removeFromFolder(dataDir: string, name: string): Promise<void> {
  return rm(join(toFolder(dataDir), name), { force: true });
}
