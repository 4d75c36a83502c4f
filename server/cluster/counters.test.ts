import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { hasRedis, openRedisServer, type RedisServer } from "#test/redis-server.ts";
import { until } from "#test/until.ts";
import { type Counter, type OpenCounter, openMemoryCounters, type WindowRule } from "../base/counters.ts";
import { createHider, openRedisCounters } from "./counters.ts";
import { openRedis, type Redis } from "./redis.ts";

const SECRET = Buffer.alloc(32, 7);
/** Longer than any machine takes for a test. */
const FIVE = { max: 5, windowMs: 600_000 };
const log = pino({ level: "silent" });
const withRedis = hasRedis ? describe : describe.skip;

let server: RedisServer;
const open: Redis[] = [];
beforeAll(async () => {
  if (hasRedis) server = await openRedisServer();
});
afterAll(() => server?.close());
afterEach(async () => {
  for (const redis of open.splice(0)) await redis.close();
});

let sites = 0;
function nameSite(): string {
  sites += 1;
  return `site ${sites}`;
}

/** A process of a site: its connection, and its own memory, whose clock stands still. */
async function join(site: string, clock: () => number = () => 0) {
  const redis = await openRedis({ url: server.url, log });
  open.push(redis);
  await until(() => redis.isUp);
  const openCounter = await openRedisCounters({
    redis,
    memory: openMemoryCounters(clock),
    site,
    ...createHider([SECRET]),
    log,
  });
  return { redis, openCounter };
}

const joinThree = () => {
  const site = nameSite();
  return Promise.all([join(site), join(site), join(site)]);
};
type Processes = Awaited<ReturnType<typeof joinThree>>;
const openThree = (processes: Processes, rule: WindowRule = FIVE) =>
  processes.map(({ openCounter }) => openCounter("test", rule)) as [Counter, Counter, Counter]; // one of each

const isTaken = async (counter: Counter, key = "a") => (await counter.take(key)).isTaken;

async function requireTaken(counter: Counter, key = "a") {
  const taking = await counter.take(key);
  if (!taking.isTaken) throw new Error(`${key} has no room`);
  return taking.giveBack;
}

/** How many of so many that come at once, in turns at each, are counted. */
async function countTaken(counters: readonly Counter[], count: number, key = "a"): Promise<number> {
  const all = Array.from({ length: count }, (_, index) => counters[index % counters.length] as Counter);
  const taken = await Promise.all(all.map((counter) => isTaken(counter, key)));
  return taken.filter(Boolean).length;
}

/** Counters, and how time goes by for them. */
type Opening = () => Promise<{ openCounter: OpenCounter; passMs(ms: number): Promise<void> }>;

const openMemory: Opening = async () => {
  const clock = { now: 0 };
  return {
    openCounter: openMemoryCounters(() => clock.now),
    async passMs(ms) {
      clock.now += ms;
    },
  };
};

/** Redis has a clock of its own: its keys come so much nearer to their end. */
const openShared: Opening = async () => {
  const clock = { now: 0 };
  const { redis, openCounter } = await join(nameSite(), () => clock.now);
  return {
    openCounter,
    async passMs(ms) {
      clock.now += ms;
      for (const key of await redis.client.keys("*"))
        await redis.client.pExpire(key, (await redis.client.pTTL(key)) - ms);
    },
  };
};

const KINDS: [string, Opening][] = [["in memory", openMemory]];
if (hasRedis) KINDS.push(["in Redis", openShared]);

describe.each(KINDS)("counts %s", (_where, opening) => {
  test("take so many in a window, which begins with the first, and say how long to wait", async () => {
    const { openCounter, passMs } = await opening();
    const counter = openCounter("test", FIVE);
    for (let count = 0; count < 5; count += 1) {
      expect(await counter.getWaitS("a")).toBe(0);
      expect(await isTaken(counter)).toBe(true);
      await passMs(1000);
    }
    expect(await counter.getWaitS("a")).toBe(595);
    for (let count = 0; count < 20; count += 1)
      expect(await counter.take("a")).toEqual({ isTaken: false, waitS: 595 });
    expect(await isTaken(counter, "b")).toBe(true);
    await passMs(595_000);
    expect(await counter.getWaitS("a")).toBe(0);
    expect(await countTaken([counter], 10)).toBe(5);
  });

  test("of many at once take as many as of many in a row", async () => {
    const { openCounter } = await opening();
    expect(await countTaken([openCounter("test", FIVE)], 100)).toBe(5);
  });

  test("give back what was taken; a key whose counts were all given back begins anew", async () => {
    const { openCounter, passMs } = await opening();
    const counter = openCounter("test", FIVE);
    const held = [];
    for (let count = 0; count < 5; count += 1) held.push(await requireTaken(counter));
    await passMs(300_000);
    await held.pop()?.();
    expect(await isTaken(counter)).toBe(true);
    expect(await counter.take("a")).toEqual({ isTaken: false, waitS: 300 });
    const other = await requireTaken(counter, "b");
    await other();
    await passMs(200_000);
    expect(await countTaken([counter], 5, "b")).toBe(5);
    expect(await counter.getWaitS("b")).toBe(600);
  });

  test("say once in each window that they refused", async () => {
    const { openCounter, passMs } = await opening();
    const counter = openCounter("test", FIVE);
    await countTaken([counter], 5);
    await passMs(200_000);
    expect([await counter.isFirstRefusal("a"), await counter.isFirstRefusal("a")]).toEqual([true, false]);
    expect(await counter.isFirstRefusal("b")).toBe(true);
    await passMs(400_000);
    await countTaken([counter], 5);
    expect([await counter.isFirstRefusal("a"), await counter.isFirstRefusal("a")]).toEqual([true, false]);
  });

  test("of another name are others", async () => {
    const { openCounter } = await opening();
    await countTaken([openCounter("one", FIVE)], 5);
    expect(await countTaken([openCounter("another", FIVE)], 10)).toBe(5);
  });
});

withRedis("three processes that share a Redis", () => {
  test("are as strict as one, in a row and at once", async () => {
    const counters = openThree(await joinThree());
    expect(await countTaken(counters, 300, "at once")).toBe(5);
    const results = [];
    for (let count = 0; count < 9; count += 1)
      results.push(await isTaken(counters[count % 3] as Counter, "in a row"));
    expect(results).toEqual([...Array(5).fill(true), ...Array(4).fill(false)]);
    for (const counter of counters) expect(await counter.getWaitS("in a row")).toBeGreaterThan(0);
  });

  test("have room again where another gave back, and after the window", async () => {
    const processes = await joinThree();
    const [a, b, c] = openThree(processes, { ...FIVE, max: 1 });
    const giveBack = await requireTaken(a);
    expect(await isTaken(b)).toBe(false);
    await giveBack();
    expect(await isTaken(b)).toBe(true);
    expect(await isTaken(c)).toBe(false);
    const { client } = processes[0].redis;
    for (const key of await client.keys("*")) await client.pExpire(key, 10);
    await until(() => isTaken(c));
  });

  test("report a refusal once", async () => {
    const counters = openThree(await joinThree());
    await countTaken(counters, 15);
    const first = await Promise.all(counters.map((counter) => counter.isFirstRefusal("a")));
    expect(first.filter(Boolean)).toHaveLength(1);
  });

  test("share nothing with another site of the same Redis, and keep no name or address in clear there", async () => {
    const [one] = await joinThree();
    const other = await join("another");
    const key = "account ada@example.org 192.0.2.1";
    await countTaken([one.openCounter("test", FIVE)], 6, key);
    await one.openCounter("test", FIVE).isFirstRefusal(key);
    expect(await countTaken([other.openCounter("test", FIVE)], 6, key)).toBe(5);
    const keys = await one.redis.client.keys("*");
    expect(keys.every((name) => name.startsWith("foyer:"))).toBe(true);
    expect(keys.join(" ")).not.toMatch(/ada|example\.org|192\.0\.2/);
    for (const name of keys) expect(await one.redis.client.pTTL(name)).toBeGreaterThan(0);
  });
});

withRedis("a Redis that is away", () => {
  test("and stands still is waited for once; then memory answers at once, and never lets more through", async () => {
    const processes = await joinThree();
    const counters = openThree(processes);
    const [a] = counters;
    for (let count = 0; count < 3; count += 1) expect(await isTaken(a)).toBe(true);
    server.halt();
    try {
      expect(await isTaken(a)).toBe(true);
      // Nothing is asked of the network any more: all of it is done before a timer could run out.
      let isLate = false;
      const late = setImmediate(() => {
        isLate = true;
      });
      expect(await countTaken([a], 100)).toBe(1);
      expect([await a.getWaitS("a"), await a.getWaitS("b")]).toEqual([600, 0]);
      expect([await a.isFirstRefusal("a"), await a.isFirstRefusal("a")]).toEqual([true, false]);
      expect(isLate).toBe(false);
      clearImmediate(late);
      for (const counter of counters.slice(1)) expect(await countTaken([counter], 100)).toBe(5);
    } finally {
      server.goOn();
    }
    for (const { redis } of processes)
      await until(() =>
        redis
          .ask((client) => client.ping())
          .then(
            () => true,
            () => false,
          ),
      );
    for (const counter of counters) expect(await isTaken(counter)).toBe(false);
    expect(await countTaken(counters, 30, "back again")).toBe(5);
  });

  test("and comes back empty, however often, doesn't open what each process has counted", async () => {
    const processes = await joinThree();
    const counters = openThree(processes);
    let taken = 0;
    for (let round = 0; round < 5; round += 1) {
      taken += await countTaken(counters, 6);
      await server.kill();
      await until(() => processes.every(({ redis }) => !redis.isUp));
      taken += await countTaken(counters, 6);
      await server.start();
      await until(() => processes.every(({ redis }) => redis.isUp));
    }
    // Alone each would have let through five.
    expect(taken).toBeLessThanOrEqual(15);
    expect(await countTaken(counters, 30)).toBe(0);
    expect(await countTaken(counters, 30, "another")).toBe(5);
  });

  test("takes back nothing that it didn't count", async () => {
    const [a, b] = await joinThree();
    const [first, second] = [a.openCounter("test", FIVE), b.openCounter("test", FIVE)];
    await server.kill();
    await until(() => !a.redis.isUp && !b.redis.isUp);
    const giveBack = await requireTaken(first);
    await server.start();
    await until(() => a.redis.isUp && b.redis.isUp);
    await countTaken([second], 5);
    await giveBack();
    expect(await isTaken(first)).toBe(false);
  });

  test("is there and refuses: memory counts, and the log says so once", async () => {
    const { redis } = await join("refusing");
    const lines: string[] = [];
    const openCounter = await openRedisCounters({
      redis,
      memory: openMemoryCounters(() => 0),
      site: "refusing",
      ...createHider([SECRET]),
      log: { warn: (_details, message) => void lines.push(message) },
    });
    await redis.client.configSet("maxmemory", "1");
    try {
      expect(await countTaken([openCounter("test", FIVE)], 20)).toBe(5);
      expect(redis.isUp).toBe(true);
    } finally {
      await redis.client.configSet("maxmemory", "0");
    }
    expect(lines).toEqual(["Redis refuses to count: each process has limits of its own meanwhile"]);
  });
});
