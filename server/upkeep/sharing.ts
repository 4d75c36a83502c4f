import { toChannel } from "../cluster/carrier.ts";
import { NOTIFY_NAME } from "../cluster/notify-carrier.ts";
import { toSite } from "../cluster/open-cluster.ts";
import { ALL } from "../cluster/packets.ts";
import { askServer, RedisRefusedError } from "../cluster/redis.ts";
import { findRunning } from "../db/embedded/connection.ts";
import { hasKeyRows, openKeyTable, toFingerprint } from "../db/keys/key-table.ts";
import { type Connection, createPool, type Queryable } from "../db/pool.ts";
import { examineSite, readDatabaseName, type SharedBy, type Unshared } from "../db/site-processes.ts";
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

/** What the Redis says, and how many processes of the site listen there. @throws RedisRefusedError, and what the network says */
async function askRedis({ askDatabase }: SharingDeps, redisUrl: string) {
  // Without its database the site has no name; rights can be tried all the same.
  const name = await askDatabase(readDatabaseName).catch(() => undefined);
  return askServer(redisUrl, toChannel(toSite(name ?? ""), ALL));
}

async function checkRedis(deps: SharingDeps): Promise<Verdict> {
  const { askDatabase } = deps;
  const { redisUrl } = deps.config;
  if (redisUrl === undefined) {
    // A database that isn't reached is told of in its own line.
    const linked = (await askDatabase(countLinked).catch(() => 0)) ?? 0;
    if (linked > 1)
      return note(`Not set: the ${linked} processes that run reach each other by the database.`);
    return note(`Not set: ${LIVE.what}: ${LIVE.effect}.`);
  }
  try {
    return good(`Set, and reachable: ${(await askRedis(deps, redisUrl)).title}.`);
  } catch (error) {
    if (error instanceof RedisRefusedError)
      return bad(
        `Set, and reachable, and it refuses ${error.message}`,
        'Give its user the rights that the README names in "Several processes", or correct REDIS_URL.',
      );
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

/** What those that run don't share, and what to do about it. */
async function findUnshared(
  { config, askDatabase }: SharingDeps,
  linked: number,
): Promise<{ count: number; unshared: readonly Unshared[] }> {
  const site = await askDatabase(async (db) => {
    // Whether the database carries it shows at those that run: `--processes` isn't in the settings that this command reads.
    const { count, unshared } = await examineSite(db, toSharedBy({ ...config, processCount: 1 }));
    return { count, unshared: unshared.filter((one) => one !== LIVE || linked < count) };
  });
  return site ?? { count: 0, unshared: [] };
}

async function checkProcesses(deps: SharingDeps): Promise<Verdict> {
  const { databaseUrl, redisUrl } = deps.config;
  const linked = (await deps.askDatabase(countLinked)) ?? 0;
  if (databaseUrl === undefined)
    return linked > 1
      ? good(`${linked} run on this machine, and share all that they have to.`)
      : note("Not counted: the database is the built-in one.");
  const { count, unshared } = await findUnshared(deps, linked);
  if (count === 0) return note("None runs.");
  // One that isn't reached is told of in its own line.
  const redis = redisUrl === undefined ? undefined : await askRedis(deps, redisUrl).catch(() => null);
  if (redis && redis.hearing < count)
    return bad(
      `${count} run, and ${redis.hearing} of them can be heard at this REDIS_URL: the others share no ${LIVE.what} with them.`,
      "Set REDIS_URL of all processes to this one; their logs say what they can't do there.",
    );
  if (count === 1) return good("One runs.");
  if (unshared.length > 0) {
    const settings = unshared.map(({ setting }) => setting).join(" and ");
    return bad(
      `${count} run. Not shared: ${unshared.map(({ what }) => what).join("; ")}.`,
      `Set ${settings}.`,
    );
  }
  return redis === null
    ? note(`${count} run. Whether they reach each other isn't known: see REDIS_URL.`)
    : good(`${count} run, and share all that they have to.`);
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
