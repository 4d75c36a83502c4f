import { createWriteStream } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, statfs } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ArchiveReader } from "./archive.ts";
import { DATA_FOLDER_NAMES, DATA_FOLDERS, type DataFolder, giveToOwner, toStamp } from "./data-folders.ts";
import { BackupError, type Manifest, type ManifestFile, toFileName } from "./manifest.ts";

/** Files of a backup, unpacked beside those that they will replace. */
export interface StagedFiles {
  /** Puts them in place, by renames; a fault puts back what was there. */
  swapIn(): Promise<void>;
  /** Puts back what was there, if it was swapped. */
  swapBack(): Promise<void>;
  /**
   * After the swap: moves files that were there before to a folder of their own. @returns the folder; undefined where there is none to keep
   */
  keepFormer(paths: readonly string[], now: Date): Promise<string | undefined>;
  /** Removes what is not in place. */
  cleanUp(): Promise<void>;
}

async function requireSpace(dataDir: string, files: readonly ManifestFile[]): Promise<void> {
  const needed = files.reduce((sum, file) => sum + file.byte_size, 0);
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize > needed) return;
  throw new BackupError(
    `The backup's files need ${Math.ceil(needed / 1e6)} MB, and ${dataDir} has ${Math.floor((bavail * bsize) / 1e6)} MB left.`,
  );
}

function getModes(path: string): { folderMode: number; fileMode: number } {
  const [folder] = path.split("/") as [DataFolder]; // the manifest's schema admits no other
  return DATA_FOLDERS[folder];
}

async function unpack(archive: ArchiveReader, file: ManifestFile, folder: string): Promise<void> {
  const target = join(folder, file.path);
  const { folderMode, fileMode } = getModes(file.path);
  await mkdir(dirname(target), { recursive: true, mode: folderMode });
  const source = await archive.open(toFileName(file.path), file);
  // Flushed: a power cut after the renames must not leave empty files under right names.
  await pipeline(source, createWriteStream(target, { flags: "wx", mode: fileMode, flush: true }));
  // The umask may have taken from it.
  await chmod(target, fileMode);
}

/** The umask may have taken from folders as well. */
async function openFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => ({ path: join(entry.parentPath, entry.name), entry }));
  for (const { path, entry } of paths)
    if (entry.isDirectory()) await chmod(path, getModes(relative(folder, path)).folderMode);
  return paths.map(({ path }) => path);
}

function toFolder(dataDir: string): string {
  return join(dataDir, "restore.part");
}

/** @throws BackupError when a restore was killed between its first rename and its end: what it moved may be the only copy */
export async function requireNoLeftovers(dataDir: string): Promise<void> {
  const old = join(toFolder(dataDir), "old");
  const names = await readdir(old).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (names.length === 0) return;
  throw new BackupError(
    `A restore ended in the middle of moving files: ${old} holds ${names.join(", ")}, maybe the only copy. Move them to where they belong, remove ${toFolder(dataDir)}, then restore.`,
  );
}

async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** @throws BackupError when the disk is too small, the archive damaged, or a former restore unfinished */
export async function stageFiles(
  archive: ArchiveReader,
  { files }: Manifest,
  dataDir: string,
  stop?: AbortSignal,
): Promise<StagedFiles> {
  await requireNoLeftovers(dataDir);
  await requireSpace(dataDir, files);
  const folder = toFolder(dataDir);
  const [fresh, old] = [join(folder, "new"), join(folder, "old")];
  const cleanUp = () => rm(folder, { recursive: true, force: true });
  // A restore that was killed while it unpacked leaves one.
  await cleanUp();
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  await mkdir(old, { mode: 0o700 });
  try {
    for (const file of files) {
      stop?.throwIfAborted();
      await unpack(archive, file, fresh);
    }
    await giveToOwner(await openFolders(fresh), dataDir);
  } catch (error) {
    await cleanUp();
    throw error;
  }

  const undo: (() => Promise<unknown>)[] = [];
  const move = async (from: string, to: string) => {
    if (await renameIfThere(from, to)) undo.unshift(() => rename(to, from));
  };
  const swapBack = async () => {
    for (const step of undo.splice(0)) await step();
  };
  return {
    async swapIn() {
      try {
        for (const name of DATA_FOLDER_NAMES) {
          await move(join(dataDir, name), join(old, name));
          await move(join(fresh, name), join(dataDir, name));
        }
      } catch (error) {
        await swapBack();
        throw error;
      }
    },
    swapBack,
    async keepFormer(paths, now) {
      if (paths.length === 0) return undefined;
      const kept = join(dataDir, `before-restore-${toStamp(now)}`);
      for (const path of paths) {
        await mkdir(dirname(join(kept, path)), { recursive: true, mode: 0o700 });
        await renameIfThere(join(old, path), join(kept, path));
      }
      await giveToOwner([kept], dataDir);
      return kept;
    },
    cleanUp,
  };
}
