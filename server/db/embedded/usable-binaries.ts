import { chmod, cp, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Account } from "./account.ts";
import { type Binaries, findPackagedBinaries, toProgram } from "./binaries.ts";
import { ensureLibraryLinks } from "./library-links.ts";
import { type CommandResult, runCommand } from "./run-command.ts";
import { SHARED_ROOT } from "./shared-root.ts";
import { DatabaseStartError, getErrorCode } from "./start-error.ts";

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
