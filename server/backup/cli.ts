import type { Stats } from "node:fs";
import { mkdir, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { types } from "node:util";
import type { Command } from "commander";
import type { PgTable } from "drizzle-orm/pg-core";
import { lockFolder } from "#server/db/embedded/folder-lock.ts";
import { type BareServer, openBareServer, type ServerOptions } from "#server/db/open.ts";
import { createPool } from "#server/db/pool.ts";
import { fetchCopy, listCopies } from "./daily/copy.ts";
import { type BackupRun, selectRuns } from "./daily/run-store.ts";
import { toLocalTime, toMegabytes } from "./daily/state.ts";
import { toStamp } from "./data-folders.ts";
import { createReplacementBackup } from "./former-state.ts";
import { BackupError } from "./manifest.ts";
import type { RemotePlace } from "./remote/address.ts";
import { copyCluster, createRowFile, repairTables } from "./repair.ts";
import { type RestoreTarget, restoreBackup } from "./restore-backup.ts";
import { type BackupReport, writeBackup } from "./write-backup.ts";

export interface BackupCommandDeps extends ServerOptions {
  appVersion: string;
  /** Tables of this version. */
  tables: readonly PgTable[];
  /** FOYER_SKIP_BACKUP. */
  isSkipped: boolean;
  /** BACKUP_DIR. */
  backupDir: string | undefined;
  /** BACKUP_TO. */
  place: RemotePlace | undefined;
  now: () => Date;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const format = (count: number) => count.toLocaleString("en");
const toCounts = ({ tableCount, rowCount, fileCount }: Omit<BackupReport, "warnings">) =>
  `${format(rowCount)} rows of ${tableCount} tables, ${format(fileCount)} files`;

function openPool({ connection }: BareServer) {
  // A connection that breaks makes the next statement fail, which reports it.
  return createPool(connection, { name: "foyer backup", max: 1, onError: () => {} });
}

/** Ctrl-C ends the work in order, so that nothing half done stays; a second one ends the process. */
async function withStop<Answer>(work: (stop: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const controller = new AbortController();
  const stop = () => controller.abort(new BackupError("Stopped."));
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

async function getStats(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

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
}

async function backUp(
  file: string,
  { force = false, quiet = false, skipDamaged = false }: BackupFlags,
  given: BackupCommandDeps,
): Promise<string[]> {
  const deps = quiet ? { ...given, onProgress: () => {} } : given;
  await requirePlace(file, force);
  const server = await openBareServer(deps, { besideServer: true });
  try {
    const pool = openPool(server);
    const { dataDir, appVersion, onProgress } = deps;
    const now = deps.now();
    const report = await withStop((stop) =>
      writeBackup({ pool, dataDir, file, appVersion, now, onProgress, stop, skipsDamaged: skipDamaged }),
    ).finally(() => pool.end());
    if (quiet) return report.warnings;
    const { size } = await stat(file);
    return [
      ...report.warnings,
      `Wrote ${file}: ${toCounts(report)}, ${(size / 1e6).toFixed(1)} MB.`,
      "It holds keys, mails and hashes of passwords: keep it where nobody else reads it.",
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
  const server = await openBareServer(deps, { besideServer: false });
  const pool = openPool(server);
  try {
    const saved = await server.withRepairRights(() =>
      repairTables(pool, { onProgress, saveRows: createRowFile(dataDir, deps.now()) }),
    );
    return saved.length === 0
      ? [...lines, "Every table can be read: nothing had to be repaired."]
      : [...saved, ...lines];
  } catch (error) {
    if ((error as { code?: string }).code !== NO_RIGHT) throw error; // pg's errors have it
    throw new BackupError(
      "The account of the database is no superuser. Let its administrator do it, or make a backup with --skip-damaged and restore that.",
    );
  } finally {
    await pool.end();
    await server.close();
  }
}

/** The supervised server locks the folder by itself; beside any other one it is locked here, so that no Foyer starts meanwhile. */
async function openTarget(deps: BackupCommandDeps): Promise<RestoreTarget> {
  await mkdir(deps.dataDir, { recursive: true });
  const lock = deps.databaseUrl ? await lockFolder(await realpath(deps.dataDir)) : undefined;
  try {
    const server = await openBareServer(deps, { besideServer: false });
    const pool = openPool(server);
    return {
      pool,
      async close() {
        await pool.end();
        await server.close();
        await lock?.release();
      },
    };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

async function restore(file: string, isReplacing: boolean, deps: BackupCommandDeps): Promise<string[]> {
  const { dataDir, backupDir, tables, onProgress } = deps;
  const report = await withStop((stop) =>
    restoreBackup({
      file,
      dataDir,
      backupDir,
      tables,
      openTarget: () => openTarget(deps),
      now: deps.now,
      keepFormer: isReplacing ? createReplacementBackup(deps) : undefined,
      onProgress,
      stop,
    }),
  );
  return [
    ...report.notes,
    `Restored the backup of ${report.createdAt}: ${toCounts(report)}.`,
    "Its mail waits, so that nobody gets a mail twice: the console shows how much. `npm run foyer -- mail release` sends it; with --discard it is never sent.",
  ];
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
    .action((file: string, options: { replace?: true }) =>
      run("Nothing was restored, everything is as it was:", () =>
        restore(resolve(file), options.replace ?? false, deps),
      ),
    );
}
