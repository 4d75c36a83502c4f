import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import type { PgTable } from "drizzle-orm/pg-core";
import type { BareServer, ServerOptions } from "#server/db/open.ts";
import { createPool, type Queryable } from "#server/db/pool.ts";
import { BackupError } from "./manifest.ts";
import type { RemotePlace } from "./remote/address.ts";
import type { RemoteStores } from "./remote-stores.ts";
import type { BackupReport } from "./write-backup.ts";

/** What the commands of backups are given. */
export interface BackupCommandDeps extends ServerOptions {
  appVersion: string;
  /** KEYS_SECRET, where the site's keys are in its database. */
  keysSecret?: string | undefined;
  /** Tables of this version. */
  tables: readonly PgTable[];
  /** FOYER_SKIP_BACKUP. */
  isSkipped: boolean;
  /** S3_URL: where files are that aren't in the data folder. */
  stores: RemoteStores;
  /** Why nothing may be taken away there, as the end of a sentence. Left out, or undefined: it may. */
  findRemovalFault?: (db: Queryable) => Promise<string | undefined>;
  /** BACKUP_DIR. */
  backupDir: string | undefined;
  /** BACKUP_TO. */
  place: RemotePlace | undefined;
  now: () => Date;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const format = (count: number) => count.toLocaleString("en");
export const toCounts = ({
  tableCount,
  rowCount,
  fileCount,
}: Pick<BackupReport, "tableCount" | "rowCount" | "fileCount">) =>
  `${format(rowCount)} rows of ${tableCount} tables, ${format(fileCount)} files`;

export function openPool({ connection }: BareServer) {
  // A connection that breaks makes the next statement fail, which reports it.
  return createPool(connection, { name: "foyer backup", max: 1, onError: () => {} });
}

/** Ctrl-C ends the work in order, so that nothing half done stays; a second one ends the process. */
export async function withStop<Answer>(work: (stop: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const controller = new AbortController();
  const stop = () => controller.abort(new BackupError("Stopped."));
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

export async function getStats(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}
