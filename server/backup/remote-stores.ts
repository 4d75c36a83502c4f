import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { ArchiveReader } from "./archive.ts";
import { isDataFolder } from "./data-folders.ts";
import { type ManifestFile, toFileName } from "./manifest.ts";

/** A storage that stands elsewhere in place of a folder of the data folder. */
export interface RemoteStore {
  list(): AsyncIterable<{ name: string }>;
  open(name: string): Promise<{ stream: Readable } | undefined>;
  put(name: string, content: Uint8Array): Promise<void>;
  delete(name: string): Promise<void>;
}

/** By the name of the folder; empty where all files lie in the data folder. */
export type RemoteStores = ReadonlyMap<string, RemoteStore>;
export const NO_STORES: RemoteStores = new Map();

/** As such a storage lies in a folder: `files/ab/abcd….png`. */
const STORED_PATH = /^([a-z]+)\/([0-9a-f]{2})\/(\2[0-9a-f]{30}\.[a-z0-9]{1,5})$/;

/** Where a file of a backup belongs. Undefined: in the data folder. */
function findStore(stores: RemoteStores, path: string): { store: RemoteStore; name: string } | undefined {
  const [, folder = "", , name = ""] = STORED_PATH.exec(path) ?? [];
  const store = isDataFolder(folder) ? stores.get(folder) : undefined;
  return store && { store, name };
}

/** What a backup holds of them, by the paths that it calls them. */
export async function listStoredFiles(stores: RemoteStores): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const [folder, store] of stores) {
    if (!isDataFolder(folder)) continue;
    for await (const { name } of store.list()) {
      const path = `${folder}/${name.slice(0, 2)}/${name}`;
      if (STORED_PATH.test(path)) paths.add(path);
    }
  }
  return paths;
}

/** Undefined: it isn't there. */
async function openStoredFile(stores: RemoteStores, path: string): Promise<Readable | undefined> {
  const found = findStore(stores, path);
  return (await found?.store.open(found.name))?.stream;
}

/** Read whole, 20 MB at most, so that it can be read again. Undefined: it went away since it was listed. */
export async function readStoredFile(stores: RemoteStores, path: string): Promise<Buffer | undefined> {
  const stream = await openStoredFile(stores, path);
  return stream && buffer(stream);
}

/** A store may restart, or be too busy for a moment. The first pause is longer than the one in which nobody asks it. */
const PAUSES_MS = [6_000, 20_000, 60_000];
/** In all, however many files fail now and then. */
const PAUSED_MAX_MS = 15 * 60_000;

export type Pause = (ms: number, stop: AbortSignal | undefined) => Promise<unknown>;

/** Does work that asks a store, again behind each pause where it fails. @throws what the last try threw, and the reason of `stop` */
export function createRetries(
  stop: AbortSignal | undefined,
  pause: Pause = (ms, signal) => sleep(ms, undefined, { signal }),
): <Answer>(work: () => Promise<Answer>) => Promise<Answer> {
  let leftMs = PAUSED_MAX_MS;
  return async (work) => {
    for (const pauseMs of PAUSES_MS) {
      stop?.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        if (leftMs < pauseMs) throw error;
        leftMs -= pauseMs;
        await pause(pauseMs, stop).catch((ended: unknown) => {
          stop?.throwIfAborted();
          throw ended;
        });
      }
    }
    return work();
  };
}

/** Files of a backup that were put where they belong, beside those that were there. */
export interface PlacedFiles {
  /** The others: they go to the data folder. */
  rest: ManifestFile[];
  /** Removes again what wasn't there before. */
  takeBack(): Promise<void>;
  /** After the commit: removes what the backup doesn't hold; what is named is written into a folder first. */
  removeOthers(kept: string | undefined, named: readonly string[]): Promise<void>;
}

/** As many files of 20 MB at most are in memory. */
const AT_ONCE = 4;

async function forEach(paths: Iterable<string>, work: (path: string) => Promise<void>): Promise<void> {
  const all = [...paths];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const done = await Promise.allSettled(all.slice(at, at + AT_ONCE).map(work));
    for (const outcome of done) if (outcome.status === "rejected") throw outcome.reason;
  }
}

/**
 * Puts files of a backup into the stores that they belong to. Names of uploads are hashes and those of people's pictures random: one
 * that is there already has the same content, or a damaged one.
 * @throws what a store says; nothing new is left there then, as far as it can be reached
 */
export async function placeFiles(
  archive: ArchiveReader,
  files: readonly ManifestFile[],
  {
    stores,
    former,
    mayRemove = true,
    stop,
  }: {
    stores: RemoteStores;
    former: ReadonlySet<string>;
    /** False: what is there may be of another site that runs. Nothing is taken away, what was put neither. */
    mayRemove?: boolean;
    stop?: AbortSignal | undefined;
  },
): Promise<PlacedFiles> {
  const own = new Map(files.filter(({ path }) => findStore(stores, path)).map((file) => [file.path, file]));
  const fresh = new Set<string>();
  const remove = async (path: string) => {
    const found = findStore(stores, path);
    await found?.store.delete(found.name);
  };
  // Where that fails too, no row names what is left: the daily sweep takes it.
  const takeBack = () => forEach(mayRemove ? fresh : [], (path) => remove(path).catch(() => undefined));
  try {
    await forEach(own.keys(), async (path) => {
      stop?.throwIfAborted();
      const [file, found] = [own.get(path), findStore(stores, path)];
      if (!file || !found) return;
      const content = await buffer(await archive.open(toFileName(path), file));
      if (!former.has(path)) fresh.add(path);
      await found.store.put(found.name, content);
    });
  } catch (error) {
    await takeBack();
    throw error;
  }
  return {
    rest: files.filter(({ path }) => !own.has(path)),
    takeBack,
    async removeOthers(kept, named) {
      const others = mayRemove ? [...former].filter((path) => !own.has(path)) : [];
      await forEach(others, async (path) => {
        const stream = kept && named.includes(path) ? await openStoredFile(stores, path) : undefined;
        if (stream && kept) {
          await mkdir(dirname(join(kept, path)), { recursive: true, mode: 0o700 });
          await pipeline(stream, createWriteStream(join(kept, path), { mode: 0o600, flush: true }));
        }
        await remove(path);
      });
    },
  };
}
