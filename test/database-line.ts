import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createPool } from "#server/db/pool.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

/** A database of a test's own behind a line that can be cut: then it is as unreachable as one whose machine is off. */
export interface DatabaseLine extends TestDatabase {
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export async function openDatabaseLine(): Promise<DatabaseLine> {
  const { connection, ...database } = await createTestDatabase();
  const sockets = new Set<Socket>();
  const line = createServer((client) => {
    const server = connect(`${connection.host}/.s.PGSQL.${connection.port}`);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      // An end that is cut closes the other one; both are gone then, whatever the reason.
      from.on("error", () => to.destroy());
      from.once("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  line.listen(0, "127.0.0.1");
  await once(line, "listening");
  const { port } = line.address() as AddressInfo; // it listens on TCP
  const cutConnection = { ...connection, host: "127.0.0.1", port };
  const pool = createPool(cutConnection, { name: "test line", max: 10, onError: () => {} });

  async function cut(): Promise<void> {
    const closed = once(line, "close");
    line.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  return {
    pool,
    connection: cutConnection,
    damage: database.damage,
    cut,
    async mend() {
      line.listen(port, "127.0.0.1");
      await once(line, "listening");
    },
    async close() {
      await pool.end();
      await cut();
      await database.close();
    },
  };
}
