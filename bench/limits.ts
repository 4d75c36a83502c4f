import { pino } from "pino";
import { type Counter, openMemoryCounters } from "#server/base/counters.ts";
import { createHider, openRedisCounters } from "#server/cluster/counters.ts";
import { openRedis } from "#server/cluster/redis.ts";
import { openRedisServer } from "../test/redis-server.ts";

/** `npm run bench:limits`: what counting costs, in this process's CPU time and in that of a Redis on the same machine. */
const AT_ONCE = 50;
const FULL_KEYS = 5_000;
const RULE = { max: 5, windowMs: 15 * 60_000 };

async function measure(name: string, calls: number, call: (index: number) => Promise<unknown>) {
  const run = async (count: number, from: number) => {
    for (let done = 0; done < count; done += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => call(from + done + index)));
  };
  await run(calls / 10, 0);
  const redisBegan = await readRedisCpuMs();
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  await run(calls, calls);
  const { user, system } = process.cpuUsage(cpu);
  const perS = Math.round((calls / (performance.now() - began)) * 1000);
  const figures = [(user + system) / calls, ((await readRedisCpuMs()) - redisBegan) * (1000 / calls)];
  const [own, theirs] = figures.map((us) => us.toFixed(us < 10 ? 2 : 0));
  console.log(`  ${name.padEnd(52)} ${own} µs here, ${theirs} µs in Redis, ${perS} a second`);
}

const server = await openRedisServer();
const log = pino({ level: "warn" });
const [redis, other] = await Promise.all([
  openRedis({ url: server.url, log }),
  openRedis({ url: server.url, log }),
]);

/** Milliseconds since it started; none where it is away. */
async function readRedisCpuMs(): Promise<number> {
  if (!redis.isUp) return 0;
  const info = await redis.client.info("cpu");
  const readS = (name: string) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return (readS("used_cpu_user") + readS("used_cpu_sys")) * 1000;
}

try {
  const share = (connection: typeof redis) =>
    openRedisCounters({
      redis: connection,
      memory: openMemoryCounters(() => performance.now()),
      site: "bench",
      ...createHider([Buffer.alloc(32, 1)]),
      log,
    });
  const memory = openMemoryCounters(() => performance.now())("bench", RULE);
  const shared = (await share(redis))("bench", RULE);
  const elsewhere = (await share(other))("bench", RULE);
  const fill = async (counter: Counter, key: string) => {
    for (let count = 0; count < RULE.max; count += 1) await counter.take(key);
  };
  const giveBack = async (counter: Counter, key: string) => {
    const taking = await counter.take(key);
    if (taking.isTaken) await taking.giveBack();
  };

  console.log(`${AT_ONCE} calls at once`);
  await measure("memory: counted", 500_000, (index) => memory.take(`key ${index}`));
  await fill(memory, "full");
  await measure("memory: refused", 500_000, () => memory.take("full"));
  await measure("Redis: counted", 50_000, (index) => shared.take(`key ${index}`));
  await measure("Redis: counted and given back", 50_000, (index) => giveBack(shared, `back ${index}`));
  for (let index = 0; index < FULL_KEYS; index += 1) await fill(elsewhere, `elsewhere ${index}`);
  await measure("Redis: refused, filled by another process", 50_000, (index) =>
    shared.take(`elsewhere ${index % FULL_KEYS}`),
  );
  await fill(shared, "full here");
  await measure("Redis: refused, filled by this process", 500_000, () => shared.take("full here"));
  await measure("Redis: looked at", 50_000, (index) => shared.getWaitS(`look ${index}`));
  await server.kill();
  await shared.take("the first one without Redis");
  await measure("Redis is away: counted", 500_000, (index) => shared.take(`away ${index}`));
} finally {
  await Promise.all([redis.close(), other.close()]);
  await server.close();
}
