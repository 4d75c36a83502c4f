import { NOTIFY_NAME } from "../cluster/notify-carrier.ts";
import { askServer } from "../cluster/redis.ts";
import { findRunning } from "../db/embedded/connection.ts";
import { hasKeyRows, openKeyTable, toFingerprint } from "../db/keys/key-table.ts";
import { type Connection, createPool, type Queryable } from "../db/pool.ts";
import { examineSite, type SharedBy, type Unshared } from "../db/site-processes.ts";
import type { DoctorDeps } from "./doctor-backups.ts";
import { bad, type Checks, good, note, report, type Verdict } from "./verdict.ts";

/** Settings that let several processes be one site. */
export interface SharingConfig {
  dataDir: string;
  databaseUrl?: string | undefined;
  keysSecret?: string | undefined;
  redisUrl?: string | undefined;
  /** Of this machine, by `FOYER_PROCESSES`. */
  processCount?: number | undefined;
  /** Of `S3_URL`. */
  fileStore?: object | undefined;
  auditSink?: { kind: string } | undefined;
  dailyBackup?: {
    time?: object | undefined;
    dir?: string | undefined;
    remote?: { title: string } | undefined;
  };
  smtpUrl?: string | undefined;
}

const FILES: Unshared = {
  what: "uploaded files and pictures",
  effect: "what one process stores is missing, 404, at one with another FOYER_DATA_DIR",
  setting: "S3_URL",
  isByFolder: true,
};
/** What Redis carries, and the database where a launcher started several processes. */
const LIVE: Unshared = {
  what: "messages and presence of sockets, seats of voice rooms, limits of calls and log-ins",
  effect: "each process has its own",
  setting: "REDIS_URL",
  isByFolder: false,
};

/** What a process has in common with others that use its database, by its settings. */
export function toSharedBy(config: SharingConfig): SharedBy {
  const { dataDir, keysSecret, redisUrl, processCount = 1, fileStore } = config;
  return {
    dataDir,
    keys: keysSecret === undefined ? undefined : toFingerprint(keysSecret),
    unshared: [...(fileStore ? [] : [FILES]), ...(redisUrl || processCount > 1 ? [] : [LIVE])],
  };
}

interface SharingDeps {
  config: SharingConfig;
  /** The bucket with the site's files, and what it says to being written to. */
  bucket: DoctorDeps["bucket"];
  /** Does work on the site's database. Undefined: it is the built-in one, which doesn't run. @throws what the network says */
  askDatabase<Answer>(work: (db: Queryable) => Promise<Answer>): Promise<Answer | undefined>;
}

async function checkDatabase({ config, askDatabase }: SharingDeps): Promise<Verdict> {
  if (config.databaseUrl === undefined)
    return note("Not set: the database is the built-in one, for processes of this machine.");
  try {
    const version = await askDatabase(async (db) => {
      const { rows } = await db.query<{ version: string }>(
        "SELECT current_setting('server_version') AS version",
      );
      return rows[0]?.version;
    });
    return good(`Set, and reachable: PostgreSQL ${version}.`);
  } catch (error) {
    return bad(
      `Set, and can't be reached: ${(error as Error).message}`,
      "Correct DATABASE_URL, or start that server.",
    );
  }
}

async function checkKeys({ config: { keysSecret }, askDatabase }: SharingDeps): Promise<Verdict> {
  const isInDatabase = await askDatabase(hasKeyRows);
  if (keysSecret === undefined)
    return isInDatabase
      ? bad(
          "Not set, and the keys are in the database, sealed with it: no process starts.",
          "Set KEYS_SECRET as it was.",
        )
      : note("Not set: keys are in the data folder, which all processes have to reach.");
  if (!isInDatabase) return note("Set: the next start moves the keys into the database.");
  // Another secret throws, with what to do.
  await askDatabase((db) => openKeyTable(db, keysSecret).list());
  return good("Set: the keys in the database open with it.");
}

/** How many processes reach each other by the database. */
async function countLinked(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1`,
    [NOTIFY_NAME],
  );
  return rows[0]?.count ?? 0;
}

async function checkRedis({ config: { redisUrl }, askDatabase }: SharingDeps): Promise<Verdict> {
  if (redisUrl === undefined) {
    // A database that isn't reached is told of in its own line.
    const linked = (await askDatabase(countLinked).catch(() => 0)) ?? 0;
    if (linked > 1)
      return note(`Not set: the ${linked} processes that run reach each other by the database.`);
    return note(`Not set: ${LIVE.what}: ${LIVE.effect}.`);
  }
  try {
    return good(`Set, and reachable: ${await askServer(redisUrl)}.`);
  } catch (error) {
    return bad(
      `Set, and can't be reached: ${(error as Error).message}`,
      "Correct REDIS_URL, or start that server.",
    );
  }
}

async function checkStore({ bucket }: SharingDeps): Promise<Verdict> {
  if (!bucket) return note(`Not set: ${FILES.what} are in the data folder: ${FILES.effect}.`);
  try {
    await bucket.check();
    return good(`Set, and files can be written: ${bucket.title}.`);
  } catch (error) {
    return bad(
      `Set, and files can't be written: ${(error as Error).message}`,
      "Correct S3_URL, or mend the store.",
    );
  }
}

async function checkSink({ config: { auditSink } }: SharingDeps): Promise<Verdict> {
  if (auditSink?.kind !== "file") return auditSink ? good("Set: a server.") : note("Not set.");
  return note(
    "A file: one process at a time writes it, and another one goes on in its own file where that is on another machine. Put it on a disk that all reach, or name a syslog server.",
  );
}

/** A bucket of `S3_URL` holds none. */
async function checkBackups({ config: { dailyBackup } }: SharingDeps): Promise<Verdict> {
  if (!dailyBackup?.time) return note("Not looked at: the site makes no backups by itself.");
  const { dir, remote } = dailyBackup;
  const where = dir === undefined ? "Not set: backups are in the data folder." : `Set: ${dir}.`;
  const all = remote
    ? `${remote.title} (BACKUP_TO) has them all.`
    : "BACKUP_TO would copy each to one place.";
  return note(`${where} Where machines don't share that folder, each has those that it made alone. ${all}`);
}

async function checkMails({ config: { smtpUrl } }: SharingDeps): Promise<Verdict> {
  if (smtpUrl !== undefined) return good("Set: a server.");
  return note("Not set: mails are files in the data folder of the process that took each.");
}

async function checkProcesses({ config, askDatabase }: SharingDeps): Promise<Verdict> {
  const linked = (await askDatabase(countLinked)) ?? 0;
  if (config.databaseUrl === undefined)
    return linked > 1
      ? good(`${linked} run on this machine, and share all that they have to.`)
      : note("Not counted: the database is the built-in one.");
  const site = await askDatabase(async (db) => {
    // Whether the database carries it shows at those that run: `--processes` isn't in the settings that this command reads.
    const { count, unshared } = await examineSite(db, toSharedBy({ ...config, processCount: 1 }));
    return { count, unshared: unshared.filter((one) => one !== LIVE || linked < count) };
  });
  if (!site || site.count === 0) return note("None runs.");
  if (site.count === 1) return good("One runs.");
  const text = `${site.count} run`;
  if (site.unshared.length === 0) return good(`${text}, and share all that they have to.`);
  const settings = site.unshared.map(({ setting }) => setting).join(" and ");
  return bad(`${text}. Not shared: ${site.unshared.map(({ what }) => what).join("; ")}.`, `Set ${settings}.`);
}

/** What is looked at, by the settings that share it. */
const CHECKS: Checks<SharingDeps> = [
  ["DATABASE_URL", checkDatabase],
  ["KEYS_SECRET", checkKeys],
  ["REDIS_URL", checkRedis],
  ["S3_URL", checkStore],
  ["AUDIT_SINK", checkSink],
  ["BACKUP_DIR", checkBackups],
  ["SMTP_URL", checkMails],
  ["Processes", checkProcesses],
];

async function findConnection({ databaseUrl, dataDir }: SharingConfig): Promise<Connection | undefined> {
  return databaseUrl === undefined ? findRunning(dataDir) : { connectionString: databaseUrl };
}

/**
 * Says what lets several processes be one site: set or not, reachable or not, and what is one process's.
 * @returns lines for the terminal, and whether there is something to mend
 */
export async function examineSharing(
  config: SharingConfig,
  bucket: DoctorDeps["bucket"],
): Promise<{ lines: string[]; isWell: boolean }> {
  const connection = await findConnection(config);
  const pool =
    connection && createPool(connection, { name: "foyer check", max: 1, onError: () => undefined });
  try {
    const deps: SharingDeps = { config, bucket, askDatabase: async (work) => pool && work(pool) };
    return await report(CHECKS, deps, (error) =>
      bad(`It could not be looked at: ${error.message}`, "Mend that, and check again."),
    );
  } finally {
    await pool?.end();
  }
}
