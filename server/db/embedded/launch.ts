import { setTimeout as sleep } from "node:timers/promises";
import type { Account, RunAs } from "./account.ts";
import { toProgram, type UsableBinaries } from "./binaries.ts";
import {
  createDatabase,
  createSocketFolder,
  type EmbeddedConnection,
  knock,
  SOCKET_PORT,
  toConnection,
  writeAccessRules,
} from "./connection.ts";
import { type GuardedProcess, startGuarded } from "./guarded-process.ts";
import type { ServerLog } from "./server-log.ts";
import { clearLeftovers } from "./server-processes.ts";
import { DatabaseStartError } from "./start-error.ts";

/**
 * Settings of the embedded server. They stand on the command line, so each release decides them and nothing in
 * the data folder overrides them. What concerns durability (fsync, full_page_writes, synchronous_commit) stays
 * at PostgreSQL's safe defaults.
 */
function buildSettings(socketFolder: string, processes: number): Record<string, string> {
  return {
    listen_addresses: "",
    port: String(SOCKET_PORT),
    // A list: quotes keep a comma or a blank in the path from splitting it.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    // The folder says who may come in.
    unix_socket_permissions: "0777",
    // A process opens up to 18; the rest is for commands beside it.
    max_connections: String(40 + 20 * processes),
    shared_buffers: "128MB",
    cluster_name: "foyer",
    timezone: "UTC",
    log_timezone: "UTC",
    log_destination: "stderr",
    logging_collector: "off",
    log_line_prefix: "%m [%p] ",
    log_checkpoints: "off",
    // Above ERROR: a failed statement goes to the caller, and its text may hold addresses or passwords.
    log_min_messages: "log",
    // The supervisor reads these messages.
    lc_messages: "C",
  };
}

/** Arguments of the program `postgres` for this cluster. */
export function buildServerArguments(
  cluster: string,
  socketFolder: string,
  accessRules: Record<string, string> = {},
  processes = 1,
): string[] {
  const settings = Object.entries({ ...buildSettings(socketFolder, processes), ...accessRules });
  return ["-D", cluster, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

/** What a launch needs. */
export interface LaunchSetting {
  cluster: string;
  home: string;
  account: Account | undefined;
  /** Whom the site will become, where that is another account. */
  reader: RunAs | undefined;
  binaries: UsableBinaries;
  /** How many processes of the site will use it. */
  processes?: number | undefined;
  log: ServerLog;
  warn: (message: string) => void;
  onProgress: (step: string) => void;
}

/** A server that accepts connections. */
export interface LaunchedServer {
  process: GuardedProcess;
  connection: EmbeddedConnection;
  /** Bytes of the log before this server wrote to it. */
  logStart: number;
}

/** The last server's processes may need a moment to vanish even after nobody sees them any more. */
const RETRYABLE = /lock file .* already exists|pre-existing shared memory block .* still in use/;
const RETRY_FOR_MS = 30_000;
const RETRY_AFTER_MS = 250;
/** How long a living server may stay silent; one that says that it is recovering has all the time it needs. */
const SILENCE_LIMIT_MS = 60_000;
const KNOCK_EVERY_MS = 10;

/** Starts PostgreSQL on a prepared cluster and waits until it accepts connections to Foyer's database. */
export async function launchServer(setting: LaunchSetting): Promise<LaunchedServer> {
  const startedAt = performance.now();
  for (;;) {
    const didCrash = await clearLeftovers(setting.cluster, setting.warn);
    if (didCrash) setting.onProgress("Recovering the database after a crash…");
    const launched = await launchOnce(setting);
    if (!("failure" in launched)) return launched;
    if (!RETRYABLE.test(launched.failure) || performance.now() - startedAt > RETRY_FOR_MS) {
      throw new DatabaseStartError(
        `PostgreSQL did not start. The last lines of ${setting.log.path}:\n${launched.failure}`,
      );
    }
    await sleep(RETRY_AFTER_MS);
  }
}

async function launchOnce(setting: LaunchSetting): Promise<LaunchedServer | { failure: string }> {
  const { cluster, home, account, reader, binaries, processes, log } = setting;
  const socketFolder = await createSocketFolder(home, account, reader);
  const accessRules = await writeAccessRules(socketFolder, account);
  const logStart = await log.measureBytes();
  const server = startGuarded(
    [toProgram(binaries, "postgres"), ...buildServerArguments(cluster, socketFolder, accessRules, processes)],
    {
      account,
      logFd: log.fd,
    },
  );
  const connection = toConnection(socketFolder);
  try {
    if (await waitUntilReady(server, connection)) return { process: server, connection, logStart };
  } catch (error) {
    server.letGo();
    await server.ended;
    throw error;
  }
  const { reason } = await server.ended;
  return { failure: (await log.readTail(logStart)) || reason };
}

/** False when the server ended before it was ready. */
async function waitUntilReady(server: GuardedProcess, connection: EmbeddedConnection): Promise<boolean> {
  let hasEnded = false;
  void server.ended.then(() => {
    hasEnded = true;
  });
  let lastWordAt = performance.now();
  while (!hasEnded) {
    const answer = await knock(connection);
    if (answer === "ready") return true;
    if (answer === "no database") await createDatabase(connection);
    if (answer !== "absent") lastWordAt = performance.now();
    if (performance.now() - lastWordAt > SILENCE_LIMIT_MS) {
      throw new DatabaseStartError(`PostgreSQL runs but did not answer within ${SILENCE_LIMIT_MS / 1000} s.`);
    }
    await sleep(KNOCK_EVERY_MS);
  }
  return false;
}
