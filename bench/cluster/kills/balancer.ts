import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** One address before several processes. */
export interface Balancer {
  url: string;
  close(): Promise<void>;
}

/** Tried one after the other, so often as there are processes. */
async function connectToOne(ports: readonly number[], first: number): Promise<Socket | undefined> {
  for (let index = 0; index < ports.length; index += 1) {
    const socket = connect({ port: ports[(first + index) % ports.length] ?? 0, host: "127.0.0.1" });
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (isThere) return socket;
  }
  return undefined;
}

/** As HAProxy before TCP: each connection goes to the process whose turn it is, or to the next one where that one refuses. */
export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  let turn = 0;
  const open = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (client) => {
    turn += 1;
    open.add(client);
    client.on("error", () => client.destroy());
    client.once("close", () => open.delete(client));
    void connectToOne(ports, turn).then((process) => {
      if (!process || client.destroyed) {
        client.destroy();
        process?.destroy();
        return;
      }
      process.on("error", () => client.destroy());
      process.once("close", () => client.destroy());
      client.once("close", () => process.destroy());
      client.pipe(process);
      process.pipe(client);
      client.resume();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on TCP
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const client of open) client.destroy();
      await closed;
    },
  };
}
