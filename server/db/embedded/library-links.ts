import { access, readFile, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { DatabaseStartError, getErrorCode } from "./start-error.ts";

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Creates the links between shared libraries that npm cannot pack (`libicuuc.so.60` and others). The package's
 * own install script does it too, but `--ignore-scripts` and newer npm skip that script.
 *
 * A read-only node_modules is fine once the links exist. `directory` is the package's `native` folder.
 */
export async function ensureLibraryLinks(directory: string): Promise<void> {
  const list = linkList.parse(JSON.parse(await readFile(join(directory, "pg-symlinks.json"), "utf8")));
  for (const { source, target } of list) {
    // Both are given as `native/lib/<file>`, and both stand in the same folder.
    const link = join(dirname(directory), target);
    if (!(await isThere(link))) await createLink(basename(source), link);
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}

async function createLink(source: string, link: string): Promise<void> {
  try {
    await symlink(source, link);
  } catch (error) {
    if (getErrorCode(error) === "EEXIST") return;
    throw new DatabaseStartError(
      `PostgreSQL's library link ${link} is missing and cannot be created (${getErrorCode(error)}).\n` +
        "Start Foyer once as the owner of node_modules, or run `npm rebuild` where " +
        "it is writable.",
      { cause: error },
    );
  }
}
