import { chmod, chown, lstat, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Account, RunAs } from "./account.ts";
import { APP_USER } from "./app-role.ts";
import { CLUSTER_USER } from "./cluster.ts";
import { hashFolder, isFolderLocked } from "./folder-lock.ts";
import { readPostmasterFile } from "./server-processes.ts";
import { DatabaseStartError, getErrorCode } from "./start-error.ts";

/** Names PostgreSQL's socket file; nothing listens on TCP. */
export const SOCKET_PORT = 5432;

/** sun_path holds 107 bytes on Linux and 103 on macOS; longer paths fail with a message nobody understands. */
const MAX_SOCKET_PATH_BYTES = 100;

/** `<home>/run`, or a folder below the temporary one when that path would be too long for a socket. */
export function toSocketFolder(home: string, uid: number): string {
  const near = join(home, "run");
  const socketPath = join(near, `.s.PGSQL.${SOCKET_PORT}`);
  if (Buffer.byteLength(socketPath) < MAX_SOCKET_PATH_BYTES) return near;
  return join(tmpdir(), `foyer-${uid}-${hashFolder(home)}`);
}

/**
 * Makes the folder anew, for the account alone, and for `reader`, whom the site will become. It is the only way into a database that trusts everybody who gets in, so a
 * folder that belongs to somebody else is refused, never repaired.
 */
export async function createSocketFolder(
  home: string,
  account: Account | undefined,
  reader?: RunAs,
): Promise<string> {
  const ownUid = process.getuid?.() ?? 0;
  const folder = toSocketFolder(home, account?.uid ?? ownUid);
  await refuseForeign(folder, [ownUid, account?.uid ?? ownUid]);
  await rm(folder, { recursive: true, force: true });
  // Without `recursive` mkdir fails when someone was quicker, rather than accepting their folder.
  await mkdir(folder, { mode: 0o700 });
  if (account && reader && reader.uid !== account.uid) {
    await chown(folder, account.uid, reader.gid);
    await chmod(folder, 0o710);
  } else if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/**
 * Where root starts the site, PostgreSQL asks the kernel who is there before it lets anybody be the superuser: root and its own
 * account. The site's account can only be the site's role. Elsewhere all three are one account, and the folder is enough.
 * @returns settings of the server
 */
export async function writeAccessRules(
  folder: string,
  account: Account | undefined,
): Promise<Record<string, string>> {
  if (!account) return {};
  const rules = {
    hba_file: `local all ${APP_USER} trust\nlocal all ${CLUSTER_USER} peer map=admin\n`,
    ident_file: `admin root ${CLUSTER_USER}\nadmin "${account.name}" ${CLUSTER_USER}\n`,
  };
  const settings: Record<string, string> = {};
  for (const [name, text] of Object.entries(rules)) {
    const path = join(folder, `${name}.conf`);
    await writeFile(path, text, { mode: 0o600 });
    await chown(path, account.uid, account.gid);
    settings[name] = path;
  }
  return settings;
}

async function refuseForeign(folder: string, allowedUids: number[]): Promise<void> {
  const found = await lstat(folder).catch((error: unknown) => {
    if (getErrorCode(error) === "ENOENT") return undefined;
    throw error;
  });
  if (!found || (found.isDirectory() && allowedUids.includes(found.uid))) return;
  throw new DatabaseStartError(
    `${folder} is not a folder of ours (it belongs to user id ${found.uid}), so the database's private socket ` +
      "cannot go there.\nRemove it and start again.",
  );
}

/** What `pg.Pool` needs to reach the embedded server. */
export interface EmbeddedConnection {
  /** The private socket folder. */
  host: string;
  port: number;
  user: string;
  database: string;
}

/** How a server answers a knock. */
export type Answer = "ready" | "starting" | "absent" | "no database";

const CONNECT_TIMEOUT_MS = 5_000;

/** The superuser's connection to Foyer's database in the server of this socket folder. */
export function toConnection(socketFolder: string): EmbeddedConnection {
  return { host: socketFolder, port: SOCKET_PORT, user: CLUSTER_USER, database: CLUSTER_USER };
}

/** Tries one real connection. Throws on answers that waiting does not change. */
export async function knock(connection: EmbeddedConnection): Promise<Answer> {
  try {
    await withClient(connection, async () => undefined);
    return "ready";
  } catch (error) {
    switch (getErrorCode(error)) {
      case "ENOENT":
      case "ECONNREFUSED":
      case "ECONNRESET":
      case "EPIPE":
      case "57P01": // admin_shutdown, crash_shutdown
      case "57P02":
      case undefined: // pg's own: the connection ended, or took too long
        return "absent";
      case "57P03": // cannot_connect_now: starting, recovering or stopping
        return "starting";
      case "3D000": // invalid_catalog_name
        return "no database";
      default:
        throw error;
    }
  }
}

/** Creates Foyer's database. */
export async function createDatabase(connection: EmbeddedConnection): Promise<void> {
  await withClient({ ...connection, database: "postgres" }, (client) =>
    client.query(`create database ${CLUSTER_USER}`),
  );
}

async function withClient(
  connection: EmbeddedConnection,
  use: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  // ssl is said because PGSSLMODE of the owner's shell would otherwise ask for it on a local socket.
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A server that goes away emits 'error' besides rejecting; without a listener, that would end Node.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end();
  }
}

/** Long enough for a server that is being started or recovered beside the command. */
const FIND_TIMEOUT_MS = 15_000;
const FIND_EVERY_MS = 100;
/** invalid_authorization_specification: no role of that name. */
const NO_ROLE = "28000";

/**
 * For the command line beside a running server: the connection of the server that holds this data folder's lock,
 * or undefined when none runs. Waits a little for one that is only just starting.
 */
export async function findRunning(dataDir: string): Promise<EmbeddedConnection | undefined> {
  const startedAt = performance.now();
  try {
    const folder = await realpath(dataDir);
    while ((await isFolderLocked(folder)) && performance.now() - startedAt < FIND_TIMEOUT_MS) {
      const connection = await getReadyConnection(join(folder, "postgres"));
      if (connection) return connection;
      await sleep(FIND_EVERY_MS);
    }
    return undefined;
  } catch (error) {
    if (getErrorCode(error) === "ENOENT") return undefined;
    if (getErrorCode(error) !== "EACCES") throw error;
    throw new DatabaseStartError(
      `The database of ${dataDir} runs as another user. Run this command as that user or as root.`,
      { cause: error },
    );
  }
}

/** The socket folder comes from the cluster itself, which only its owner can write, not from whoever holds the lock. */
async function getReadyConnection(cluster: string): Promise<EmbeddedConnection | undefined> {
  const file = await readPostmasterFile(cluster);
  if (file.kind !== "written" || !file.isReady) return undefined;
  const admin = toConnection(file.socketFolder);
  const connection = { ...admin, user: APP_USER };
  try {
    return (await knock(connection)) === "ready" ? connection : undefined;
  } catch (error) {
    // The running server is of a Foyer that had no other role.
    if (getErrorCode(error) !== NO_ROLE) throw error;
    return (await knock(admin)) === "ready" ? admin : undefined;
  }
}
