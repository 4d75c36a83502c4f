import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { S3Address } from "#server/base/s3.ts";
import type { Queryable } from "#server/db/pool.ts";
import { readDatabaseName } from "#server/db/site-processes.ts";
import { type BucketMark, openS3Files, type S3Options } from "./s3.ts";
import { createLocalStorage, type FileStorage } from "./store.ts";

/** Uploaded files, people's pictures, and smaller ones of both: folders of the data folder, or of the bucket. */
export const STORAGE_NAMES = ["files", "people", "pictures"] as const;

/** `S3_URL`, with what belongs to it. */
export interface FileStoreConfig {
  address: S3Address;
  /** A download of a file is answered with a signed address of the bucket. */
  isRedirected: boolean;
}

/** An address elsewhere at which whoever has it gets one file, for a few minutes. */
export type SignFile = (key: string, headers: { mediaType: string; disposition: string }) => Promise<string>;

/** All storages of a site, wherever the settings put them. Nothing is reached before it is used. */
export interface FileStores {
  openStorage(name: string): FileStorage;
  /** Those that aren't in the data folder, by their names. */
  remote: ReadonlyMap<string, FileStorage>;
  /** The bucket, and whether files can be written there: `check` rejects with what is wrong. Undefined: there is none. */
  place: { title: string; check(): Promise<void> } | undefined;
  /** Whose files the bucket holds; undefined: there is none. */
  mark: BucketMark | undefined;
  /** How many calls failed so far because the bucket is away: what was made meanwhile may lack pictures, and isn't kept. */
  countFaults(): number;
  /** Undefined: the site answers with the bytes itself. */
  signFile: SignFile | undefined;
}

/**
 * Whose files the bucket holds, seen from a database: it may be another site's by settings that were copied, or the database an older one,
 * restored beside the site. Files of the data folder are the database's that is in it.
 */
export async function findBucketOwner(
  { mark }: Pick<FileStores, "mark">,
  db: Queryable,
): Promise<"own" | "nobody" | "another"> {
  if (!mark) return "own";
  const [own, owner] = [await readDatabaseName(db), await mark.read()];
  if (owner === undefined) return "nobody";
  return owner === own ? "own" : "another";
}

/** The end of a sentence for the owner that says what is left there. */
export const toForeignReason = (next: string) =>
  `the bucket of S3_URL is another database's. Is this the site's database now? Then delete the object \`site\` in the bucket's folder, and ${next}`;

/** Why a command may take nothing away from the bucket, as the end of a sentence. Undefined: it may. */
export async function findRemovalFault(
  stores: Pick<FileStores, "mark">,
  db: Queryable,
  next: string,
): Promise<string | undefined> {
  try {
    return (await findBucketOwner(stores, db)) === "another" ? `${toForeignReason(next)}.` : undefined;
  } catch (error) {
    return `whose the bucket of S3_URL is can't be read (${error instanceof Error ? error.message : String(error)})`;
  }
}

const OWNER_KNOWN_MS = 60_000;

/**
 * The same storages, which leave what is deleted where it lies in the bucket of another database: a copy of a site with the settings of the
 * real one would take that one's files away.
 */
export function leaveOthersFiles(
  stores: FileStores,
  db: Queryable,
  log: { warn(details: object, message: string): void },
  steadyMs: () => number = () => performance.now(),
): FileStores {
  if (!stores.mark) return stores;
  let known: { isOthers: boolean; at: number } | undefined;
  async function isOthers(): Promise<boolean> {
    if (!known || steadyMs() - known.at >= OWNER_KNOWN_MS)
      known = { isOthers: (await findBucketOwner(stores, db)) === "another", at: steadyMs() };
    return known.isOthers;
  }
  const leave = (storage: FileStorage): FileStorage => ({
    ...storage,
    async delete(key) {
      if (await isOthers()) log.warn({ key }, `a deleted file stays: ${toForeignReason("wait a minute")}`);
      else await storage.delete(key);
    },
  });
  const remote = new Map([...stores.remote].map(([name, storage]) => [name, leave(storage)] as const));
  return { ...stores, remote, openStorage: (name) => remote.get(name) ?? stores.openStorage(name) };
}

async function requireWritable(storage: FileStorage): Promise<void> {
  const name = `${randomBytes(16).toString("hex")}.txt`;
  await storage.put(name, Buffer.from("Foyer looked whether it can write here.\n"));
  await storage.delete(name);
}

export function openStores(
  { dataDir, fileStore }: { dataDir: string; fileStore: FileStoreConfig | undefined },
  options?: S3Options,
): FileStores {
  const openFolder = (name: string) => createLocalStorage(join(dataDir, name));
  if (!fileStore)
    return {
      openStorage: openFolder,
      remote: new Map(),
      place: undefined,
      mark: undefined,
      countFaults: () => 0,
      signFile: undefined,
    };
  const { address, isRedirected } = fileStore;
  const bucket = openS3Files(address, options);
  const remote = new Map<string, FileStorage>(STORAGE_NAMES.map((name) => [name, bucket.openStorage(name)]));
  return {
    openStorage: (name) => remote.get(name) ?? openFolder(name),
    remote,
    place: { title: address.title, check: () => requireWritable(bucket.openStorage("files")) },
    mark: bucket.mark,
    countFaults: bucket.countFaults,
    signFile: isRedirected ? (key, headers) => bucket.sign("files", key, headers) : undefined,
  };
}
