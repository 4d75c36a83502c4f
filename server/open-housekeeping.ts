import type pg from "pg";
import type { Logger } from "pino";
import { cleanAccounts, sweepPictures } from "./accounts/housekeeping.ts";
import { dropOldAuditEntries, ensureAuditPartitions } from "./audit/months.ts";
import { deleteOldAlerts } from "./audit/service.ts";
import type { Config } from "./config.ts";
import { removeOldJobs } from "./content/bulk/jobs.ts";
import { deleteOldExports, failLeftExports } from "./content/exports/service.ts";
import type { Leases } from "./db/leases/lease.ts";
import { deleteOldLeases } from "./db/leases/lease-store.ts";
import { createTurns } from "./db/leases/turns.ts";
import { readDatabaseName } from "./db/site-processes.ts";
import { type FileStores, findBucketOwner, toForeignReason } from "./files/stores.ts";
import { sweepBytes } from "./files/writer.ts";
import { deleteOldSamples } from "./health/sampler.ts";
import { removeOldMail } from "./open-mail.ts";
import { forgetDrawn } from "./pictures/service.ts";
import { runEach } from "./process.ts";
import { dropOldCspReports } from "./site/csp-reports.ts";
import { cleanVoice } from "./voice/service.ts";

const EVERY_MS = 24 * 60 * 60 * 1000;

/** A store on another machine may have been away when a file was deleted. */
async function sweepFiles(
  { remote }: FileStores,
  pool: pg.Pool,
  now: Date,
  stop: AbortSignal,
): Promise<void> {
  const [storage, drawn] = [remote.get("files"), remote.get("pictures")];
  if (!storage || !drawn) return;
  await sweepBytes({ pool, storage, forgetPictures: (key) => forgetDrawn(drawn, key) }, now, stop);
}

/**
 * Whether files that this database doesn't name may be taken away. The first that comes to a bucket says that the files are its own, and
 * takes nothing away yet.
 */
export async function mayRemoveFiles(
  { mark }: Pick<FileStores, "mark">,
  pool: pg.Pool,
  log: Pick<Logger, "warn">,
): Promise<boolean> {
  const owner = await findBucketOwner({ mark }, pool);
  if (owner === "nobody") await mark?.write(await readDatabaseName(pool));
  if (owner === "another") log.warn({}, `files that no row names are left: ${toForeignReason("restart")}`);
  return owner === "own";
}

/** What is done at the start and daily, by one process of the site. */
export function openHousekeeping(deps: {
  config: Config;
  pool: pg.Pool;
  stores: FileStores;
  leases: Leases;
  /** Signs what the log says of entries that are dropped. */
  chainKey: Buffer;
  log: Logger;
}): { start(): Promise<void>; close(): Promise<void> } {
  const { config, pool, stores, leases, chainKey, log } = deps;
  const stopped = new AbortController();
  const daily = createTurns({
    ...{ leases, name: "housekeeping", everyMs: EVERY_MS },
    async run() {
      const now = new Date();
      await runEach(log, {
        "partitions of the log": () => ensureAuditPartitions(pool, now),
        "old entries of the log": () => dropOldAuditEntries(pool, now, config.auditRetentionMonths, chainKey),
        alerts: () => deleteOldAlerts(pool, now),
        accounts: () => cleanAccounts(pool, now),
        mails: () => removeOldMail(config, pool, now),
        "bulk jobs": () => removeOldJobs(pool, now),
        exports: () => deleteOldExports(pool, now),
        "exports of processes that died": () => failLeftExports(pool, leases.processId),
        "voice rooms": () => cleanVoice(pool, now),
        "policy reports": () => dropOldCspReports(pool, now),
        "health samples": () => deleteOldSamples(pool, now),
        leases: () => deleteOldLeases(pool),
      });
    },
  });
  const sweeps = createTurns({
    ...{ leases, name: "file sweep", everyMs: EVERY_MS },
    async run(lost) {
      const now = new Date();
      const stop = AbortSignal.any([lost, stopped.signal]);
      let mayRemove = false;
      const ask = async () => {
        mayRemove = await mayRemoveFiles(stores, pool, log);
      };
      await runEach(log, { "whose files they are": ask });
      if (!mayRemove) return;
      await runEach(log, {
        "people's pictures": () => sweepPictures(pool, stores.openStorage("people"), now, stop),
        files: () => sweepFiles(stores, pool, now, stop),
      });
    },
  });
  return {
    async start() {
      await daily.start();
      // Not waited for: a place with many files takes minutes to list.
      void sweeps.start();
    },
    async close() {
      stopped.abort();
      await daily.close();
      await sweeps.close();
    },
  };
}
