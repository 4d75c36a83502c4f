import { join } from "node:path";
import type { Logger } from "pino";
import packageJson from "../package.json" with { type: "json" };
import { createStaffChecks } from "./accounts/people/staff.ts";
import { createCopyWork, openPlace } from "./backup/daily/copy.ts";
import { createRehearsal } from "./backup/daily/rehearse.ts";
import { createDailyWork, createSchedule } from "./backup/daily/schedule.ts";
import { checkBackups } from "./backup/daily/state.ts";
import { createDamageWatch } from "./backup/damage.ts";
import { canEncryptFor } from "./backup/encryption.ts";
import type { RemoteStores } from "./backup/remote-stores.ts";
import type { Config } from "./config.ts";
import type { Leases } from "./db/leases/lease.ts";
import type { Database } from "./db/open.ts";
import { createPool } from "./db/pool.ts";
import { selectTables } from "./db/verify.ts";
import type { Finding } from "./health/service.ts";
import { type QueueDeps, queueMail } from "./mail/outbox/message.ts";
import * as tables from "./tables.ts";

/** What makes backups beside the server, and says how they are. */
export interface Backups {
  start(): void;
  close(): Promise<void>;
  check(): Promise<Finding>;
  /** Tables that can't be read; undefined: there are none. */
  checkTables(): Finding | undefined;
}

/** Backups by themselves, as the settings want them; closed with the process. */
export function openBackups(options: {
  config: Pick<Config, "dataDir" | "ownerEmail" | "dailyBackup"> & Partial<Pick<Config, "keysSecret">>;
  database: Pick<Database, "connection" | "pool" | "exportPool" | "isEmbedded">;
  /** Where files are that aren't in the data folder. */
  stores: RemoteStores;
  leases: Leases;
  queue: QueueDeps;
  log: Logger;
  now: () => Date;
}): Backups {
  const { config, database, leases, stores, queue, log, now } = options;
  const { dataDir, keysSecret, ownerEmail, dailyBackup } = config;
  const { time, dir: backupDir, remote, recipient } = dailyBackup;
  const pool = createPool(database.connection, {
    name: "foyer backups",
    max: 2,
    onError: (error) => log.warn({ err: error }, "the connection of backups broke"),
  });
  const { listStaff } = createStaffChecks(ownerEmail);
  // Processes of one machine have one folder.
  const isShared = leases.isShared && !database.isEmbedded;
  const appVersion = packageJson.version;
  const common = { pool, dataDir, stores, keysSecret, backupDir, appVersion, isShared, now };
  const folder = backupDir ?? join(dataDir, "backups");
  const place = remote && openPlace(remote);
  if (place && !time)
    log.warn(
      `nothing is copied to ${place.title} (BACKUP_TO): the site makes no backups by itself (BACKUP_DAILY). Set BACKUP_DAILY=true, or take BACKUP_TO away`,
    );
  const copies = place ? [createCopyWork({ pool, folder, place, recipient })] : [];
  const { connection } = database;
  const trial = { pool, connection, dataDir, folder, tables: selectTables(tables), isShared, now };
  const schedule = createSchedule({
    pool,
    leases,
    works: time
      ? [createDailyWork({ ...common, time, remote: place?.title }), createRehearsal(trial), ...copies]
      : [],
    async findOwner(db) {
      const [owner] = await listStaff(db);
      return owner && { recipient: owner.email, language: owner.language };
    },
    mail: {
      async queue(db, mail) {
        await queueMail(queue, db, mail);
      },
    },
    log,
    now,
  });
  const watch = createDamageWatch({ pool: database.exportPool, cancels: database.pool, leases, log });
  return {
    start() {
      if (recipient !== undefined)
        void canEncryptFor(recipient).then((isGood) => {
          if (!isGood)
            log.error(
              "BACKUP_RECIPIENT was typed wrongly: no copy of a backup goes to BACKUP_TO until it is right",
            );
        });
      schedule.start();
      watch.start();
    },
    async close() {
      await watch.close();
      await schedule.close();
      await pool.end();
    },
    check: () => checkBackups({ db: database.pool, time, folder, remote: place?.title, now }),
    checkTables: watch.check,
  };
}
