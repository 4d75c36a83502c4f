import { chown, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * Folders of the data folder that can't be made again, and the modes they come back with. `pictures` is a cache, `postgres`
 * is in the tables, and backups hold no backups.
 */
export const DATA_FOLDERS = {
  files: { folderMode: 0o700, fileMode: 0o600 },
  people: { folderMode: 0o700, fileMode: 0o600 },
  mail: { folderMode: 0o700, fileMode: 0o600 },
  keys: { folderMode: 0o700, fileMode: 0o600 },
} as const;
export type DataFolder = keyof typeof DATA_FOLDERS;
export const DATA_FOLDER_NAMES = Object.keys(DATA_FOLDERS) as DataFolder[];

export const isDataFolder = (name: string): name is DataFolder => Object.hasOwn(DATA_FOLDERS, name);

/** Letters of a name as ours are: nothing that leads out of the folder, nothing hidden. */
const SEGMENT = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** What is being written, or was when a process was killed. */
const DRAFT = /\.part$/;

interface FoundPath {
  path: string;
  isFile: boolean;
}

/** Whether a path belongs to what backups hold: `files/ab/abcd….png`. */
export function isBackedUpPath(path: string): boolean {
  const [folder = "", ...segments] = path.split("/");
  return (
    isDataFolder(folder) &&
    segments.length > 0 &&
    segments.every((segment) => SEGMENT.test(segment)) &&
    !DRAFT.test(path)
  );
}

/** Paths of all in a folder that is no folder itself, in order: links too. A folder that isn't there has none. */
async function listFolder(dataDir: string, path: string): Promise<FoundPath[]> {
  const entries = await readdir(join(dataDir, path), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    },
  );
  const paths: FoundPath[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const found = `${path}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...(await listFolder(dataDir, found)));
    else paths.push({ path: found, isFile: entry.isFile() });
  }
  return paths;
}

/** The files that a backup holds, and what else is in its folders: links, and files of names that it doesn't take. */
export async function listDataFiles(dataDir: string): Promise<{ paths: string[]; strange: string[] }> {
  const found: FoundPath[] = [];
  for (const folder of DATA_FOLDER_NAMES) found.push(...(await listFolder(dataDir, folder)));
  const isTaken = ({ path, isFile }: FoundPath) => isFile && isBackedUpPath(path);
  const whole = found.filter(({ path }) => !DRAFT.test(path));
  return {
    paths: whole.filter(isTaken).map(({ path }) => path),
    strange: whole.filter((one) => !isTaken(one)).map(({ path }) => path),
  };
}

/** What root makes in a data folder belongs to whom the folder belongs to: the site's own account has to reach it. */
export async function giveToOwner(paths: readonly string[], dataDir: string): Promise<void> {
  const { uid, gid } = await stat(dataDir);
  if (process.getuid?.() !== 0 || uid === 0) return;
  for (const path of paths) await chown(path, uid, gid);
}

/** A moment as names of files have it: `20261120T120000Z`. */
export function toStamp(moment: Date): string {
  return moment.toISOString().replace(/[-:]|\.\d+/g, "");
}
