import type { Socket } from "node:net";
import Fastify from "fastify";
import { pino } from "pino";
import { openRedisCluster } from "#server/cluster/open-cluster.ts";
import { createSockets } from "#server/socket/create-sockets.ts";
import { registerSockets, shouldUpgrade } from "#server/socket/transports/register-sockets.ts";
import { createBenchPeople } from "./people.ts";
import { type Hot, startProfiler } from "./profiler.ts";
import { createRoomChannel } from "./room-channel.ts";
import { serveCalls } from "./worker.ts";

/**
 * The server of bench/socket.ts, in a process of its own: both endpoints of the socket over the product's rules, with rooms.
 * People come with real access tokens; a map stands in the place of the database.
 */
export interface Usage {
  /** User and system time of this process so far. */
  cpuUs: number;
}

const LOOK_EVERY_MS = 5;

/** What the server said at level error and above, which no client may bring about. */
const errors: string[] = [];
const log = pino({ level: "error" }, { write: (line) => void errors.push(line) });
const open = new Set<Socket>();
let count = () => ({ connections: 0, channels: 0 });
let stopProfiler: (() => Promise<Hot[]>) | undefined;

/** What a process is started with. `redisUrl`: of the other processes; undefined: there are none. */
export interface ServerOptions {
  people: number;
  /** Base64, 32 bytes: tokens of one process are good at another one with the same. */
  secret: string;
  processId?: string;
  redisUrl?: string | undefined;
}

let countProcesses = () => 1;

async function start(options: ServerOptions): Promise<{ port: number; tokens: string[] }> {
  const { processId = "bench", redisUrl } = options;
  const people = createBenchPeople(options.people, Buffer.from(options.secret, "base64"));
  const cluster =
    redisUrl === undefined
      ? undefined
      : await openRedisCluster(redisUrl, {
          processId,
          databaseName: "bench",
          countProcesses: async () => 0,
          ofSecrets: (_purpose, make) => make([Buffer.alloc(32)]),
          steadyMs: () => performance.now(),
          log: { info() {}, warn: (details, message) => log.error(details, message) },
        });
  if (cluster) countProcesses = () => cluster.getState().processes;
  const sockets = createSockets({
    channels: [createRoomChannel()],
    connect: ({ token }) => (token === undefined ? undefined : people.authenticate(token)),
    isOriginAllowed: () => false,
    identities: people,
    log,
    link: cluster?.link,
  });
  count = () => sockets.count();
  const app = Fastify({ http: { shouldUpgradeCallback: shouldUpgrade } });
  await registerSockets(app, { path: "/socket", sockets, trustProxy: false });
  app.server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { port: Number(new URL(url).port), tokens: people.tokens };
}

/** Looks on what waits in this process for the slowest client, from the first call on. @returns the most so far, in bytes */
let readLargestBuffer = (): number => {
  let largest = 0;
  const look = () => {
    for (const { writableLength } of open) if (writableLength > largest) largest = writableLength;
  };
  setInterval(look, LOOK_EVERY_MS);
  readLargestBuffer = () => largest;
  return largest;
};

function collect(): { heapUsed: number } {
  if (!globalThis.gc) throw new Error("the server runs without --expose-gc");
  globalThis.gc();
  globalThis.gc();
  return { heapUsed: process.memoryUsage().heapUsed };
}

const calls = {
  start,
  usage: (): Usage => {
    const { user, system } = process.cpuUsage();
    return { cpuUs: user + system };
  },
  collect,
  count: () => count(),
  countProcesses: () => countProcesses(),
  largestBuffer: () => readLargestBuffer(),
  errors: () => errors,
  startProfile: async () => {
    stopProfiler = await startProfiler();
  },
  stopProfile: async () => stopProfiler?.(),
};
export type ServerCalls = typeof calls;

serveCalls(calls);
