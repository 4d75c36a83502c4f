import { mkdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { lockFolder } from "#server/db/embedded/folder-lock.ts";
import type { Rights } from "#server/db/log-owner.ts";
import { holdGate } from "#server/db/one-site.ts";
import { openBareServer, type ServerOptions } from "#server/db/open.ts";
import { type BackupCommandDeps, getStats, openPool, toCounts, withStop } from "./command.ts";
import { decryptFile, isEncrypted, readIdentity, readPassphrase, type Unlock } from "./encryption.ts";
import { createReplacementBackup } from "./former-state.ts";
import { BackupError } from "./manifest.ts";
import { type RestoreTarget, restoreBackup } from "./restore-backup.ts";
import { isPublicKey, requireTrusted } from "./signature.ts";
import { requireAlone } from "./target.ts";

type TargetDeps = ServerOptions;

type StoppedTarget = RestoreTarget & Pick<Rights, "withRepairRights">;

/**
 * The supervised server locks the folder by itself. Beside any other one it is locked here, and so is the way into the database for processes with
 * other folders, so that no Foyer starts meanwhile.
 */
async function openTarget(deps: TargetDeps): Promise<StoppedTarget> {
  await mkdir(deps.dataDir, { recursive: true });
  const lock = deps.databaseUrl ? await lockFolder(await realpath(deps.dataDir)) : undefined;
  try {
    const server = await openBareServer(deps, { besideServer: false });
    const holding = deps.databaseUrl ? holdGate(server.connection) : undefined;
    const standstill = await holding?.catch(async (error: unknown) => {
      await server.close();
      throw error;
    });
    const pool = openPool(server);
    return {
      pool,
      withLogRights: server.rights.withLogRights,
      withRepairRights: server.rights.withRepairRights,
      lost: standstill?.lost,
      async close() {
        await pool.end();
        await standstill?.end();
        await server.close();
        await lock?.release();
      },
    };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

/** Does work that a running site must not meet, and that is to end with the target's `lost`. @throws BackupError or DatabaseStartError where one runs */
export async function whileStopped<Answer>(
  deps: TargetDeps,
  work: (target: StoppedTarget) => Promise<Answer>,
): Promise<Answer> {
  const target = await openTarget(deps);
  try {
    await requireAlone(target.pool, "run this again");
    return await work(target);
  } finally {
    await target.close();
  }
}

export interface RestoreFlags {
  replace?: boolean;
  trust?: string;
  unsigned?: boolean;
  identity?: string;
  passphraseFile?: string;
}

/** @throws BackupError where the file is encrypted and nothing says how to open it */
async function toUnlock({ identity, passphraseFile }: RestoreFlags): Promise<Unlock> {
  if (identity !== undefined) return { identity: await readIdentity(identity) };
  if (passphraseFile !== undefined) return { passphrase: await readPassphrase(passphraseFile) };
  throw new BackupError(
    "The backup is encrypted. Add --identity FILE (the file that age-keygen made), or --passphrase-file FILE (- is the standard input).",
  );
}

/** Restores a file, opened first where it is encrypted: its plain copy lies in the data folder meanwhile. */
export async function restore(file: string, flags: RestoreFlags, deps: BackupCommandDeps): Promise<string[]> {
  if (flags.trust !== undefined && !isPublicKey(flags.trust))
    throw new BackupError("--trust wants a key of 43 characters, as `npm run foyer -- backup` names it.");
  if (!(await getStats(file)) || !(await isEncrypted(file))) return restorePlain(file, flags, deps);
  const unlock = await toUnlock(flags);
  await mkdir(deps.dataDir, { recursive: true });
  const plain = join(deps.dataDir, "restore-decrypted.part");
  // What a restore that was killed has left.
  await rm(plain, { force: true });
  try {
    await withStop((stop) => decryptFile(file, plain, unlock, stop));
    return await restorePlain(plain, flags, deps);
  } finally {
    await rm(plain, { force: true });
  }
}

async function restorePlain(
  file: string,
  { replace: isReplacing = false, trust, unsigned = false }: RestoreFlags,
  deps: BackupCommandDeps,
): Promise<string[]> {
  const { dataDir, stores, findRemovalFault, keysSecret, backupDir, tables, onProgress } = deps;
  const report = await withStop((stop) =>
    restoreBackup({
      file,
      dataDir,
      stores,
      findRemovalFault,
      keysSecret,
      backupDir,
      tables,
      checkSigner: (signer) => requireTrusted(signer, deps, { key: trust, allowsUnsigned: unsigned }),
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
