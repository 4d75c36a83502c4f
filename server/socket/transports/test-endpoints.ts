import { once } from "node:events";
import { connect, type Socket } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { SOCKET_LIMITS } from "#contract/socket.ts";
import { cutConnectionsOnClose } from "#server/create-server.ts";
import type { SignedIn } from "../../base/actor.ts";
import type { TrustProxy } from "../../base/proxies.ts";
import type { ProcessLink } from "../away/homes.ts";
import { findSerializer } from "../serializer.ts";
import type { Admission, Connection, Handshake, SocketRules, Sockets } from "../sockets.ts";
import { CLOSE, type CloseCode, type Transport } from "../transport.ts";
import { registerSockets, shouldUpgrade } from "./register-sockets.ts";

const RULES: SocketRules = {
  ...SOCKET_LIMITS,
  handshakesPerMinute: 10_000,
  longPollWindowMs: 10_000,
  presenceWindowMs: 0,
  drainTimeoutMs: 300,
};

/** What reached the connection of one client. */
export interface HeldConnection {
  transport: Transport;
  received: (string | Buffer)[];
  endCount: number;
}

/** Connections that only keep what they are given: the endpoints alone are tried. */
export interface HeldSockets extends Sockets {
  readonly handshakes: Handshake[];
  readonly held: HeldConnection[];
  first(): HeldConnection;
}

const PERSON = { userId: 1, username: "ada", sessionId: "s", level: 1 } as unknown as SignedIn; // not looked at here

/** Admits everybody whose query does not say `token=bad`, or as `admit` says. */
export function holdSockets(
  options: {
    rules?: Partial<SocketRules>;
    admit?: () => Promise<boolean>;
    onReceive?: (connection: HeldConnection, data: string | Buffer) => void;
  } = {},
): HeldSockets {
  const held: HeldConnection[] = [];
  const handshakes: Handshake[] = [];
  let isDraining = false;
  function toAdmission(query: URLSearchParams): Admission | undefined {
    const serializer = findSerializer(query.get("vsn"));
    if (!serializer || query.get("token") === "bad" || isDraining) return undefined;
    return { person: PERSON, params: {}, serializer };
  }
  return {
    rules: { ...RULES, ...options.rules },
    get isDraining() {
      return isDraining;
    },
    held,
    handshakes,
    first() {
      const [connection] = held;
      if (!connection) throw new Error("nobody is connected");
      return connection;
    },
    admit(handshake) {
      handshakes.push(handshake);
      const admission = toAdmission(handshake.query);
      return options.admit ? options.admit().then((isGood) => (isGood ? admission : undefined)) : admission;
    },
    open(_admission, transport): Connection {
      const connection: HeldConnection = { transport, received: [], endCount: 0 };
      held.push(connection);
      return {
        receive(data) {
          connection.received.push(data);
          options.onReceive?.(connection, data);
        },
        end() {
          connection.endCount += 1;
        },
      };
    },
    broadcast() {},
    signal() {},
    count: () => ({ connections: held.length, channels: 0 }),
    drain() {
      isDraining = true;
      for (const { transport } of held) transport.close(CLOSE.restart satisfies CloseCode);
    },
    close() {},
  };
}

export interface TestEndpoints {
  app: FastifyInstance;
  port: number;
}

/** A listening server with both endpoints at each path. */
export async function openEndpoints(
  paths: Readonly<Record<string, Sockets>>,
  trustProxy: TrustProxy = false,
  link?: ProcessLink,
): Promise<TestEndpoints> {
  const app = fastify({
    trustProxy,
    forceCloseConnections: "idle",
    routerOptions: { ignoreTrailingSlash: true },
    http: { shouldUpgradeCallback: shouldUpgrade },
  });
  app.get("/cv", () => "the cv");
  for (const [path, sockets] of Object.entries(paths))
    await registerSockets(app, { path, sockets, trustProxy, link });
  cutConnectionsOnClose(app);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { app, port: address.port };
}

export const UPGRADE: Readonly<Record<string, string>> = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-version": "13",
};

export function toRequestText(
  path: string,
  headers: Readonly<Record<string, string>> = UPGRADE,
  method = "GET",
  version = "1.1",
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/${version}\r\nHost: site.test\r\n${lines.join("")}\r\n`;
}

/** Bytes on the wire, both ways. */
export interface RawClient {
  socket: Socket;
  /** All that came, one character per byte. */
  readonly text: string;
  readonly isClosed: boolean;
}

export async function openRaw(port: number, request: string): Promise<RawClient> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  let isClosed = false;
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("close", () => {
    isClosed = true;
  });
  socket.on("error", () => socket.destroy());
  await once(socket, "connect");
  socket.write(request);
  return {
    socket,
    get text() {
      return Buffer.concat(chunks).toString("latin1");
    },
    get isClosed() {
      return isClosed;
    },
  };
}
