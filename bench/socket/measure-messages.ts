import { type BenchServer, readWrites, startBenchServer } from "./bench-server.ts";
import { type Figure, toMedian } from "./figure.ts";
import { Fleet, pace, waitUntil } from "./fleet.ts";

const CONNECTIONS = 1000;
/** All receivers together; the server is busy for a third to a half of a core. */
const DELIVERIES_PER_S = 40_000;
const ROUNDS = 3;
const ROUND_S = 7;
const WARM_UP_S = 3;
const JOINS_PER_S = 400;

const ROOMS = [
  { size: 10, barUs: 12, phoenixUs: 20.9 },
  { size: 100, barUs: 9, phoenixUs: 15.0 },
  { size: 1000, barUs: 8, phoenixUs: 13.2 },
] as const;

interface Round {
  us: number;
  busy: number;
  perWrite: number;
  perRead: number;
}

/** Sends evenly over time and senders, each message a write of its own, until all have arrived. */
async function send(fleet: Fleet, seconds: number): Promise<number> {
  const { options } = fleet;
  const perSecond = DELIVERIES_PER_S / (options.roomSize - 1);
  const count = Math.round(seconds * perSecond);
  const delivered = fleet.sum((resident) => resident.delivered);
  await pace(count, perSecond, () => fleet.speakNext());
  const expected = count * (options.roomSize - 1);
  await waitUntil(
    "every message arrived",
    () => fleet.sum((resident) => resident.delivered) - delivered === expected,
  );
  return expected;
}

async function measureRound(server: BenchServer, fleet: Fleet): Promise<Round> {
  const reads = () => fleet.clients.reduce((sum, client) => sum + client.reads, 0);
  const before = { ...(await server.readUsage()), writes: readWrites(server.worker.pid), reads: reads() };
  const startedAt = performance.now();
  const deliveries = await send(fleet, ROUND_S);
  const elapsedUs = (performance.now() - startedAt) * 1000;
  const cpuUs = (await server.readUsage()).cpuUs - before.cpuUs;
  return {
    us: cpuUs / deliveries,
    busy: cpuUs / elapsedUs,
    perWrite: deliveries / (readWrites(server.worker.pid) - before.writes),
    perRead: deliveries / (reads() - before.reads),
  };
}

async function measureRooms(room: (typeof ROOMS)[number], isProfiled: boolean): Promise<Figure> {
  const server = await startBenchServer(CONNECTIONS);
  const fleet = new Fleet({ port: server.port, tokens: server.tokens, roomSize: room.size });
  try {
    await fleet.connect();
    await fleet.join(JOINS_PER_S);
    await send(fleet, WARM_UP_S);
    const rounds: Round[] = [];
    if (isProfiled) await server.worker.ask("startProfile", undefined);
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(server, fleet));
    if (isProfiled) console.table(await server.worker.ask("stopProfile", undefined));
    const us = toMedian(rounds.map((round) => round.us));
    const of = (read: (round: Round) => number) => toMedian(rounds.map(read));
    return {
      name: `CPU per delivered message, rooms of ${room.size}`,
      bar: `≤ ${room.barUs} µs`,
      measured:
        `${us.toFixed(2)} µs (${rounds.map((round) => round.us.toFixed(2)).join(", ")}); ` +
        `${Math.round(of((round) => round.busy) * 100)} % of a core, ` +
        `${of((round) => round.perWrite).toFixed(2)} messages a write, ${of((round) => round.perRead).toFixed(2)} a read`,
      phoenix: `${room.phoenixUs} µs`,
      isMet: us <= room.barUs,
    };
  } finally {
    fleet.cut();
    server.stop();
  }
}

/** What a message costs the server that arrives at one receiver: checked, stamped, one frame, from a token-checked connection. */
export async function measureMessages(isProfiled: boolean): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const room of ROOMS) figures.push(await measureRooms(room, isProfiled));
  return figures;
}
