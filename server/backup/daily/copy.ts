import { existsSync } from "node:fs";
import { access, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type pg from "pg";
import { encryptFile } from "../encryption.ts";
import { BackupError } from "../manifest.ts";
import { DRAFT, type RemoteAddress, type RemotePlace } from "../remote/address.ts";
import { isDailyName, listExpired } from "./retention.ts";
import { type RunResult, selectEverMade, selectLatest, selectUncopied } from "./run-store.ts";
import type { ScheduledWork } from "./schedule.ts";

/** Its library is loaded once it is used: a site without copies has no memory for it. */
export function openPlace(address: RemoteAddress): RemotePlace {
  const load = async (): Promise<RemotePlace> =>
    address.kind === "s3"
      ? (await import("../remote/s3.ts")).openS3(address)
      : (await import("../remote/sftp.ts")).openSftp(address);
  return {
    title: address.title,
    put: async (...given) => (await load()).put(...given),
    list: async () => (await load()).list(),
    remove: async (name) => (await load()).remove(name),
    fetch: async (...given) => (await load()).fetch(...given),
    check: async () => (await load()).check(),
  };
}

/** What an encrypted copy's name has behind that of its backup. */
const AGE = ".age";
const toBackupName = (name: string) => (name.endsWith(AGE) ? name.slice(0, -AGE.length) : name);

/** The same retention as in the folder, of those alone that this site made, and what a copy of them that was cut off left. */
async function rotate(place: RemotePlace, made: ReadonlySet<string>): Promise<void> {
  const there = await place.list();
  const own = there.filter((name) => made.has(toBackupName(name)));
  const drafts = there.filter(
    (name) => name.endsWith(DRAFT) && made.has(toBackupName(name.slice(0, -DRAFT.length))),
  );
  const expired = new Set(listExpired([...new Set(own.map(toBackupName))]));
  for (const name of [...drafts, ...own.filter((one) => expired.has(toBackupName(one)))])
    await place.remove(name);
}

/** Sends a backup, encrypted where somebody is named who can open it. @returns the bytes of what was sent */
async function send(
  { folder, place, recipient }: CopyOptions,
  name: string,
  stop: AbortSignal,
): Promise<number> {
  const file = join(folder, name);
  if (recipient === undefined) {
    await place.put(file, name, stop);
    return (await stat(file)).size;
  }
  const locked = `${file}${AGE}${DRAFT}`;
  try {
    await rm(locked, { force: true }); // of a process that was killed
    await encryptFile(file, locked, { recipient }, stop);
    await place.put(locked, `${name}${AGE}`, stop);
    return (await stat(locked)).size;
  } finally {
    await rm(locked, { force: true });
  }
}

interface CopyOptions {
  pool: pg.Pool;
  folder: string;
  place: RemotePlace;
  /** Of age; undefined: copies are as readable as the backups of the folder. */
  recipient: string | undefined;
}

/** Copies the newest backup of the folder to the other place, once, and removes what is too old there. */
export function createCopyWork(options: CopyOptions): ScheduledWork {
  const { pool, folder, place } = options;
  return {
    kind: "copy",
    async isDue(db) {
      const file = await selectUncopied(db, place.title);
      return file !== undefined && existsSync(join(folder, file));
    },
    async run(stop): Promise<RunResult> {
      const { done } = await selectLatest(pool, "backup");
      if (!done?.file) throw new BackupError("There is no backup to copy.");
      let byteSize: number;
      try {
        byteSize = await send(options, done.file, stop);
        await rotate(place, await selectEverMade(pool));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new BackupError(`${place.title}: ${reason}`, { cause: error });
      }
      return { status: "done", file: done.file, remote: place.title, byteSize };
    },
  };
}

/** Backups at the other place, the newest first. */
export async function listCopies(place: RemotePlace): Promise<string[]> {
  return (await place.list())
    .filter((name) => isDailyName(toBackupName(name)))
    .sort()
    .reverse();
}

/** Brings one back, the newest where none is named, for `restore`. @returns the file */
export async function fetchCopy(
  place: RemotePlace,
  { wanted, folder, stop }: { wanted: string | undefined; folder: string; stop: AbortSignal },
): Promise<string> {
  const name = wanted ?? (await listCopies(place))[0];
  if (name === undefined) throw new BackupError(`There is no backup at ${place.title}.`);
  if (basename(name) !== name)
    throw new BackupError(`${name} is no name of a file there: see backups --there.`);
  const file = join(folder, name);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new BackupError(`${file} is there already.`);
  const draft = `${file}${DRAFT}`;
  try {
    // It is as secret as the site's data.
    await writeFile(draft, "", { mode: 0o600 });
    await place.fetch(name, draft, stop);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw new BackupError(`${place.title}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return file;
}
