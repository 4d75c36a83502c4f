import { realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { types } from "node:util";
import type { Command } from "commander";
import { lockFolder } from "#server/db/embedded/folder-lock.ts";
import { openBareServer } from "#server/db/open.ts";
import { type BackupCommandDeps, getStats, openPool, toCounts, withStop } from "./command.ts";
import { fetchCopy, listCopies } from "./daily/copy.ts";
import { type BackupRun, selectRuns } from "./daily/run-store.ts";
import { toLocalTime, toMegabytes } from "./daily/state.ts";
import { toStamp } from "./data-folders.ts";
import { encryptFile, type Lock, readPassphrase, requireRecipient } from "./encryption.ts";
import { BackupError } from "./manifest.ts";
import type { RemotePlace } from "./remote/address.ts";
import { copyCluster, createRowFile, repairTables } from "./repair.ts";
import { type RestoreFlags, restore, whileStopped } from "./restore-command.ts";
import { writeBackup } from "./write-backup.ts";

/** Before any work: nobody waits for a backup that has nowhere to go. */
async function requirePlace(file: string, isForced: boolean): Promise<void> {
  const found = await getStats(file);
  if (found?.isDirectory()) throw new BackupError(`${file} is a folder. Name a file in it.`);
  if (found && !isForced) throw new BackupError(`${file} is there already. With --force it is written over.`);
  if (!(await getStats(dirname(file)))) throw new BackupError(`There is no folder ${dirname(file)}.`);
}

interface BackupFlags {
  force?: boolean;
  quiet?: boolean;
  skipDamaged?: boolean;
  encrypt?: boolean;
  recipient?: string;
  passphraseFile?: string;
}

/** @throws BackupError where nothing, or twice as much as is needed, says who can open it */
async function toLock({ encrypt, recipient, passphraseFile }: BackupFlags): Promise<Lock | undefined> {
  if (!encrypt && recipient === undefined && passphraseFile === undefined) return undefined;
  if (recipient !== undefined && passphraseFile === undefined)
    return { recipient: requireRecipient(recipient) };
  if (passphraseFile !== undefined && recipient === undefined)
    return { passphrase: await readPassphrase(passphraseFile) };
  throw new BackupError(
    "Say by one of the two who can open it: --recipient age1… (age-keygen makes one), or --passphrase-file FILE (- is the standard input).",
  );
}

async function backUp(file: string, flags: BackupFlags, given: BackupCommandDeps): Promise<string[]> {
  const { force = false, quiet = false, skipDamaged = false } = flags;
  const lock = await toLock(flags);
  // It is plain until it is whole, and nobody else's to read.
  const written = lock ? `${file}.plain.part` : file;
  const deps = quiet ? { ...given, onProgress: () => {} } : given;
  await requirePlace(file, force);
  const server = await openBareServer(deps, { besideServer: true });
  try {
    const pool = openPool(server);
    const { dataDir, stores, keysSecret, appVersion, onProgress } = deps;
    const now = deps.now();
    const report = await withStop(async (stop) => {
      const made = await writeBackup({
        pool,
        dataDir,
        stores,
        keysSecret,
        file: written,
        appVersion,
        now,
        onProgress,
        stop,
        skipsDamaged: skipDamaged,
      });
      if (lock) await encryptInto(written, file, lock, stop);
      return made;
    }).finally(() => pool.end());
    if (quiet) return report.warnings;
    const { size } = await stat(file);
    return [
      ...report.warnings,
      `Wrote ${file}: ${toCounts(report)}, ${(size / 1e6).toFixed(1)} MB.`,
      lock
        ? "It is encrypted: without its identity or passphrase nobody can open it, you neither."
        : "It holds keys, mails and hashes of passwords: keep it where nobody else reads it, or encrypt it (--encrypt).",
      `It is signed. A restore on another machine wants to know by whom, so note it: --trust ${report.publicKey}`,
    ];
  } finally {
    await server.close();
  }
}

const LISTED = 100;
/** PostgreSQL's code of a table that isn't there. */
const NO_TABLE = "42P01";
/** And of what only a superuser may do. */
const NO_RIGHT = "42501";

function toLine({ kind, status, began_at, file, byte_size, remote, message, removed_at }: BackupRun): string {
  const when = toLocalTime(new Date(began_at));
  const whats = {
    backup: file ?? "backup",
    copy: `copy of ${file ?? "the newest"}`,
    rehearsal: "rehearsed restore",
  };
  const what = whats[kind];
  const size = byte_size === null ? "" : `${toMegabytes(byte_size)} MB`;
  const notes = [removed_at ? "removed since" : "", remote ? `to ${remote}` : "", message ?? ""];
  return [when, status.padEnd(7), what, size, ...notes].filter((part) => part !== "").join("  ");
}

async function listBackups(deps: BackupCommandDeps): Promise<string[]> {
  const server = await openBareServer(deps, { besideServer: true });
  const pool = openPool(server);
  try {
    const runs = await selectRuns(pool, LISTED);
    return runs.length === 0 ? ["The site has made no backup by itself yet."] : runs.map(toLine);
  } catch (error) {
    if ((error as { code?: string }).code !== NO_TABLE) throw error; // pg's errors have it
    return ["The database is of an older Foyer, which made no backups by itself."];
  } finally {
    await pool.end();
    await server.close();
  }
}

function requireCopyPlace({ place }: BackupCommandDeps): RemotePlace {
  if (place) return place;
  throw new BackupError("BACKUP_TO is not set: there is no other place.");
}

async function listThere(deps: BackupCommandDeps): Promise<string[]> {
  const place = requireCopyPlace(deps);
  const names = await listCopies(place);
  return names.length > 0 ? names : [`There is no backup at ${place.title}.`];
}

async function fetchBackup(wanted: string | undefined, deps: BackupCommandDeps): Promise<string[]> {
  const place = requireCopyPlace(deps);
  const file = await withStop((stop) => fetchCopy(place, { wanted, folder: process.cwd(), stop }));
  return [`Fetched ${file}.`, `To put it in place: npm run foyer -- restore ${file}`];
}

async function repair(deps: BackupCommandDeps): Promise<string[]> {
  const { dataDir, databaseUrl, onProgress } = deps;
  const lines: string[] = [];
  if (!databaseUrl) {
    // Under the folder's lock, as a start would take it, and before PostgreSQL writes anything.
    const lock = await lockFolder(await realpath(dataDir));
    onProgress("Copying the database as it is…");
    const copy = await copyCluster(dataDir, deps.now()).finally(() => lock.release());
    lines.push(`The database as it was is in ${copy}: remove it when all is well.`);
  }
  const saveRows = createRowFile(dataDir, deps.now());
  try {
    const saved = await whileStopped(deps, ({ pool, lost, withRepairRights }) =>
      withRepairRights(() => repairTables(pool, { onProgress, saveRows, stop: lost })),
    );
    return saved.length === 0
      ? [...lines, "Every table can be read: nothing had to be repaired."]
      : [...saved, ...lines];
  } catch (error) {
    if ((error as { code?: string }).code !== NO_RIGHT) throw error; // pg's errors have it
    throw new BackupError(
      "The account of the database is no superuser. Let its administrator do it, or make a backup with --skip-damaged and restore that.",
    );
  }
}

/** Puts the encrypted file in its place, and takes the plain one away, whatever happens. */
async function encryptInto(plain: string, file: string, lock: Lock, stop: AbortSignal): Promise<void> {
  const draft = `${file}.part`;
  try {
    await rm(draft, { force: true });
    await encryptFile(plain, draft, lock, stop);
    await rename(draft, file);
  } finally {
    await rm(plain, { force: true });
  }
}

/** What disks and databases say has a code; Node says its own ERR_… of our mistakes, whose place we want to see. */
function isEveryday(error: unknown): error is Error {
  if (error instanceof BackupError) return true;
  return types.isNativeError(error) && "code" in error && !String(error.code).startsWith("ERR_");
}

/** Adds `backup` and `restore`. */
export function registerBackupCommands(program: Command, deps: BackupCommandDeps): void {
  const run = async (outcome: string, work: () => Promise<string[]>): Promise<void> => {
    try {
      for (const line of await work()) program.configureOutput().writeOut?.(`${line}\n`);
    } catch (error) {
      if (isEveryday(error)) program.error(`${outcome} ${error.message}`, { exitCode: 1 });
      program.configureOutput().writeErr?.(`${outcome}\n`);
      throw error;
    }
  };
  program
    .command("backup [file]")
    .description(
      "write database, files and keys into one zip file (without a name: one with the date); also beside a running server",
    )
    .option("--force", "write over a file that is there")
    .option("--quiet", "say nothing but what is wrong, as cron wants it")
    .option("--skip-damaged", "leave out what can't be read of damaged tables")
    .option("--encrypt", "encrypt it by age, as one of the next two says")
    .option("--recipient <age1…>", "for whoever has the identity of this recipient")
    .option("--passphrase-file <file>", "by the first line of this file; - is the standard input")
    .action((file: string | undefined, flags: BackupFlags) =>
      run("No backup was made:", () => {
        const path = resolve(file ?? `foyer-${toStamp(deps.now())}.zip`);
        return backUp(path, flags, deps);
      }),
    );
  program
    .command("repair")
    .description(
      "after a fault of the disk: save what can be read of damaged tables; the server must be stopped",
    )
    .action(() => run("Nothing was repaired:", () => repair(deps)));
  program
    .command("backups")
    .description(
      "list the backups that the server made by itself, their copies, and rehearsals of restoring one",
    )
    .option("--there", "list what is at the other place (BACKUP_TO); needs no database")
    .action(({ there }: { there?: true }) =>
      run("Backups can't be listed:", () => (there ? listThere(deps) : listBackups(deps))),
    );
  program
    .command("fetch-backup [name]")
    .description(
      "bring the newest backup, or the named one, back from the other place (BACKUP_TO) into this folder",
    )
    .action((name: string | undefined) => run("Nothing was fetched:", () => fetchBackup(name, deps)));
  program
    .command("restore <file>")
    .description("bring a site back as a backup holds it, into an empty Foyer; the server must be stopped")
    .option("--replace", "also where there is a site: it is backed up into the data folder, then replaced")
    .option("--trust <key>", "the key that another site's backup is signed with, as that site named it")
    .option("--unsigned", "also a backup without a signature, of an older Foyer")
    .option("--identity <file>", "what opens an encrypted one: the file that age-keygen made")
    .option(
      "--passphrase-file <file>",
      "or the passphrase, in the first line of this file; - is the standard input",
    )
    .action((file: string, flags: RestoreFlags) =>
      run("Nothing was restored, everything is as it was:", () => restore(resolve(file), flags, deps)),
    );
}
