import { setTimeout as sleep } from "node:timers/promises";
import { startBenchServer } from "./bench-server.ts";
import { type Figure, toKb } from "./figure.ts";
import { Fleet } from "./fleet.ts";

const CONNECTIONS = 1000;
const MEMORY_CONNECTIONS = 2000;
const ROOM_SIZE = 10;
const JOINS_PER_S = 200;
const WARM_UP_CONNECTIONS = 50;
/** Changes of presence travel a little later than the joins. */
const SETTLE_MS = 500;
const BARS = { joinMs: 0.5, memoryBytes: 40_000 };

async function measureCpu(): Promise<Figure> {
  const server = await startBenchServer(CONNECTIONS);
  const fleet = new Fleet({ ...server, roomSize: ROOM_SIZE });
  try {
    const start = await server.readUsage();
    await fleet.connect();
    const connected = await server.readUsage();
    await fleet.join(JOINS_PER_S);
    await sleep(SETTLE_MS);
    const joined = await server.readUsage();
    const joinMs = (joined.cpuUs - connected.cpuUs) / CONNECTIONS / 1000;
    const handshakeMs = (connected.cpuUs - start.cpuUs) / CONNECTIONS / 1000;
    const frames = fleet.sum((resident) => resident.frames) / CONNECTIONS;
    return {
      name: "CPU per join with roster and presence, rooms of 10",
      bar: `≤ ${BARS.joinMs} ms`,
      measured:
        `${joinMs.toFixed(3)} ms, ${frames.toFixed(1)} messages each; ` +
        `handshake ${handshakeMs.toFixed(3)} ms, both ${(joinMs + handshakeMs).toFixed(3)} ms`,
      phoenix: "1.1 ms",
      isMet: joinMs <= BARS.joinMs,
    };
  } finally {
    fleet.cut();
    server.stop();
  }
}

async function measureMemory(): Promise<Figure> {
  const server = await startBenchServer(MEMORY_CONNECTIONS);
  const options = { ...server, roomSize: ROOM_SIZE };
  const first = new Fleet(options);
  const fleet = new Fleet(options);
  const isEmpty = async () => (await server.worker.ask("count", undefined)).connections === 0;
  try {
    // What is loaded and compiled with the first ones is not theirs.
    await first.connect(WARM_UP_CONNECTIONS);
    await first.join(JOINS_PER_S);
    first.cut();
    while (!(await isEmpty())) await sleep(20);
    const empty = await server.readMemory();
    await fleet.connect();
    await fleet.join(JOINS_PER_S);
    await sleep(SETTLE_MS);
    const { connections, channels } = await server.worker.ask("count", undefined);
    if (connections !== MEMORY_CONNECTIONS || channels !== MEMORY_CONNECTIONS)
      throw new Error(`the server counts ${connections} connections and ${channels} channels`);
    const full = await server.readMemory();
    const each = (name: "pss" | "rss" | "heapUsed") => (full[name] - empty[name]) / MEMORY_CONNECTIONS;
    return {
      name: `memory per joined connection, of ${MEMORY_CONNECTIONS.toLocaleString("en")}`,
      bar: `≤ ${toKb(BARS.memoryBytes)}`,
      measured: `PSS ${toKb(each("pss"))}, RSS ${toKb(each("rss"))}, heap ${toKb(each("heapUsed"))}`,
      phoenix: "169 kB",
      isMet: each("pss") <= BARS.memoryBytes,
    };
  } finally {
    fleet.cut();
    server.stop();
  }
}

/** What it costs the server that somebody enters a room, and stays. */
export async function measureJoin(): Promise<Figure[]> {
  return [await measureCpu(), await measureMemory()];
}
