import pg from "pg";
import { CLUSTER_USER } from "./cluster.ts";
import { SOCKET_PORT } from "./socket-folder.ts";
import { getErrorCode } from "./start-error.ts";

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

/** The connection to Foyer's database in the server of this socket folder. */
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
  // A server that goes away emits 'error' besides rejecting; unheard, it would end Node.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end();
  }
}
