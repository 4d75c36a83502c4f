import { openRedisServer, type RedisServer } from "#test/redis-server.ts";
import { readCpuUs } from "../load/process-usage.ts";
import { type BenchServer, startBenchServer } from "../socket/bench-server.ts";
import { type Figure, toMedian, toQuantile } from "../socket/figure.ts";
import { Fleet, pace, waitUntil } from "../socket/fleet.ts";

const CONNECTIONS = 1000;
const ROOM_SIZE = 100;
/** All receivers together: what the bench of one process's socket sends, and half of it, where packets between processes hold fewer messages. */
const DELIVERIES_PER_S = [40_000, 20_000];
const WARM_UP_PER_S = Math.max(...DELIVERIES_PER_S);
const ROUND_S = 6;
const WARM_UP_S = 8;
const ROUNDS = 5;
const JOINS_PER_S = 200;
const BAR = 1.5;

/** Little, so that what is measured is the way and no queue. */
const QUIET_MESSAGES_PER_S = 20;
const QUIET_S = 20;
const BAR_MS = 15;

/** Evenly over time and people, until all has arrived. @returns deliveries */
async function speak(fleet: Fleet, perSecond: number, seconds: number): Promise<number> {
  const count = Math.round(perSecond * seconds);
  const before = fleet.sum((resident) => resident.delivered);
  await pace(count, perSecond, () => fleet.speakNext());
  const expected = count * (ROOM_SIZE - 1);
  await waitUntil(
    "every message arrived",
    () => fleet.sum((resident) => resident.delivered) - before === expected,
  );
  return expected;
}

/** Servers with people in rooms, and what all of them have cost so far. */
interface Setting {
  fleet: Fleet;
  readCpuUs(): Promise<number>;
  stop(): void;
}

async function gather(servers: readonly BenchServer[], redis?: RedisServer): Promise<Setting> {
  const [first, second] = servers;
  if (!first) throw new Error("there is no server");
  const fleet = new Fleet({
    port: first.port,
    ...(second && { otherPort: second.port }),
    tokens: first.tokens,
    roomSize: ROOM_SIZE,
  });
  await fleet.connect();
  await fleet.join(JOINS_PER_S);
  await speak(fleet, WARM_UP_PER_S / (ROOM_SIZE - 1), WARM_UP_S);
  return {
    fleet,
    async readCpuUs() {
      const own = await Promise.all(servers.map(async (server) => (await server.readUsage()).cpuUs));
      return own.reduce((sum, us) => sum + us, 0) + (redis ? readCpuUs(redis.pid) : 0);
    },
    stop() {
      fleet.cut();
      for (const server of servers) server.stop();
    },
  };
}

async function gatherOnTwo(redis: RedisServer): Promise<Setting> {
  const secret = Buffer.alloc(32, "bench").toString("base64");
  const start = (processId: string) =>
    startBenchServer(CONNECTIONS, { secret, processId, redisUrl: redis.url });
  const servers = [await start("first"), await start("second")];
  for (const { worker } of servers) {
    let count = 0;
    await waitUntil("the processes know each other", () => {
      void worker.ask("countProcesses", undefined).then((known) => {
        count = known;
      });
      return count === servers.length;
    });
  }
  return gather(servers, redis);
}

async function measureCpu({ fleet, readCpuUs }: Setting, deliveriesPerS: number): Promise<number> {
  const before = await readCpuUs();
  const deliveries = await speak(fleet, deliveriesPerS / (ROOM_SIZE - 1), ROUND_S);
  return ((await readCpuUs()) - before) / deliveries;
}

/** In turns, so that a slow moment of the machine comes to both. */
async function compareCpu(one: Setting, two: Setting, deliveriesPerS: number): Promise<Figure> {
  const onOne: number[] = [];
  const onTwo: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    onOne.push(await measureCpu(one, deliveriesPerS));
    onTwo.push(await measureCpu(two, deliveriesPerS));
  }
  const ratio = toMedian(onTwo.map((us, round) => us / (onOne[round] ?? Number.NaN)));
  const toText = (values: readonly number[]) => values.map((us) => us.toFixed(2)).join(", ");
  return {
    name: `CPU per delivered message, rooms of ${ROOM_SIZE} over two processes and Redis, against one process, ${deliveriesPerS.toLocaleString("en")} deliveries/s`,
    bar: `≤ ${BAR}×`,
    measured: `${ratio.toFixed(2)}× (two ${toText(onTwo)} µs, one ${toText(onOne)} µs)`,
    isMet: ratio <= BAR,
  };
}

/** In milliseconds, of every message to everybody in the room; each second person is on the other process. */
async function measureLatency({ fleet }: Setting): Promise<number[]> {
  const latencies: number[] = [];
  for (const resident of fleet.residents) resident.latencies = latencies;
  await speak(fleet, QUIET_MESSAGES_PER_S, QUIET_S);
  return latencies.map((us) => us / 1000);
}

/** What a message costs in rooms whose people are on two processes, Redis included, against the same people on one. */
export async function measureMessages(): Promise<Figure[]> {
  const redis = await openRedisServer();
  const one = await gather([await startBenchServer(CONNECTIONS)]);
  const two = await gatherOnTwo(redis);
  try {
    const costs: Figure[] = [];
    for (const perSecond of DELIVERIES_PER_S) costs.push(await compareCpu(one, two, perSecond));
    const here = await measureLatency(one);
    const across = await measureLatency(two);
    const toMs = (values: readonly number[], part: number) => `${toQuantile(values, part).toFixed(1)} ms`;
    return [
      ...costs,
      {
        name: "latency of a message, rooms over two processes, p99",
        bar: `≤ ${BAR_MS} ms`,
        measured: `${toMs(across, 0.99)}, median ${toMs(across, 0.5)} (one process: ${toMs(here, 0.99)}, ${toMs(here, 0.5)})`,
        isMet: toQuantile(across, 0.99) <= BAR_MS,
      },
    ];
  } finally {
    one.stop();
    two.stop();
    await redis.close();
  }
}
