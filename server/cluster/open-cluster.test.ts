import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createClient } from "@redis/client";
import { pino } from "pino";
import { ofKeys, toFixedRing } from "#server/accounts/tokens/key-ring.ts";
import { deriveSecrets, type SigningKeys } from "#server/accounts/tokens/keys.ts";
import { createTimers } from "#test/carriers.ts";
import { hasRedis, openRedisServer, type RedisServer, readUserRights } from "#test/redis-server.ts";
import { until } from "#test/until.ts";
import { type Cluster, type ClusterDeps, openRedisCluster } from "./open-cluster.ts";

const withRedis = hasRedis ? describe : describe.skip;

let server: RedisServer;
const open: Cluster[] = [];

/** What a test adds to the time that passes. */
let time = 0;

async function start(processId: string, deps: Partial<ClusterDeps> = {}, url = server.url): Promise<Cluster> {
  const cluster = await openRedisCluster(url, {
    ...{ processId, databaseName: "site" },
    countProcesses: async () => 0,
    ofSecrets: (_purpose, make) => make([Buffer.alloc(32)]),
    steadyMs: () => performance.now() + time,
    log: pino({ level: "silent" }),
    ...deps,
  });
  open.push(cluster);
  return cluster;
}

const listAll = (...clusters: Cluster[]) => clusters.map(({ link }) => link.list());

withRedis("by a real Redis", () => {
  beforeEach(async () => {
    server = await openRedisServer();
  });
  afterEach(async () => {
    for (const cluster of open.splice(0)) await cluster.close();
    await server.close();
  });

  test("processes of one site know each other, and none of another site", async () => {
    const [a, b, stranger] = [
      await start("a"),
      await start("b"),
      await start("c", { databaseName: "another" }),
    ];
    await until(() => a.link.list().length === 2 && b.link.list().length === 2);
    expect(stranger.link.list()).toEqual(["c.1"]);
    const state = { isUp: true, carrier: "redis", server: server.url, processes: 2, missing: 0 };
    expect(a.getState()).toEqual(state);
    const heard: unknown[] = [];
    b.link.on("word", (body) => heard.push(body));
    b.link.answer("sum", async (body) => (body as number[]).reduce((sum, value) => sum + value, 0));
    for (let i = 0; i < 1000; i += 1) a.link.send("b.1", "word", i);
    expect(await a.link.ask("b.1", "sum", [1, 2])).toBe(3);
    expect(heard).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  });

  test("a user of Redis who may hear nothing leaves the process alone, until the owner lets them", async () => {
    const admin = createClient({ url: server.url });
    await admin.connect();
    try {
      // As Redis 7 makes one: keys and commands are given, and no channel.
      await admin.sendCommand(["ACL", "SETUSER", "foyer", "on", ">secret", "~foyer:*", "+@all"]);
      const a = await start("a");
      const b = await start("b", {}, server.url.replace("//", "//foyer:secret@"));
      expect(b.getState().isUp).toBe(false);
      expect(a.link.list()).toEqual(["a.1"]);
      await admin.sendCommand(["ACL", "SETUSER", "foyer", "&foyer:*"]);
      await until(() => listAll(a, b).every((list) => list.length === 2));
      expect(b.getState().isUp).toBe(true);
      const heard: unknown[] = [];
      b.link.on("word", (body) => heard.push(body));
      b.link.answer("last", async () => heard.length);
      a.link.send(b.link.self, "word", "once");
      expect(await a.link.ask(b.link.self, "last", null)).toBe(1);
    } finally {
      admin.destroy();
    }
  });

  test("a user with the rights that the README names is refused nothing", async () => {
    const admin = createClient({ url: server.url });
    await admin.connect();
    try {
      await admin.sendCommand(["ACL", "SETUSER", "foyer", ...(await readUserRights())]);
      const url = server.url.replace("//", "//foyer:secret@");
      const [a, b] = [await start("a", {}, url), await start("b", {}, url)];
      await until(() => listAll(a, b).every((list) => list.length === 2));
      b.link.answer("sum", async () => 3);
      expect(await a.link.ask(b.link.self, "sum", null)).toBe(3);
      const [here, there] = [a, b].map(({ openCounter }) =>
        openCounter("tries", { max: 1, windowMs: 600_000 }),
      );
      const taking = await here?.take("ada");
      expect(await there?.getWaitS("ada")).toBeGreaterThan(0);
      expect([await there?.take("ada"), await there?.isFirstRefusal("ada")]).toMatchObject([
        { isTaken: false },
        true,
      ]);
      if (taking?.isTaken) await taking.giveBack();
      expect(await there?.take("ada")).toMatchObject({ isTaken: true });
      await b.close();
      await until(() => a.link.list().length === 1);
      // What the client says of itself it may say or not.
      const refused = String(await admin.sendCommand(["ACL", "LOG"])).match(/object,[^,]+/g) ?? [];
      expect(refused.filter((entry) => !entry.startsWith("object,client"))).toEqual([]);
    } finally {
      admin.destroy();
    }
  });

  test("a process whose database others use too, and that meets nobody, says how many are missing", async () => {
    const { pass, every } = createTimers();
    const { getState } = await start("a", { countProcesses: async () => 3, every });
    await until(() => getState().isUp);
    for (let seconds = 0; seconds < 30; seconds += 5) {
      time += 5_000;
      await pass(5_000);
    }
    expect(getState()).toMatchObject({ processes: 1, missing: 2 });
  });

  test("counts go by one secret, whether a process was started before a rotation of keys or behind it", async () => {
    const [older, newer] = [1, 2].map((kid) => ({ kid: String(kid), secret: Buffer.alloc(32, kid) }));
    if (!older || !newer) throw new Error("two were made");
    let keys: SigningKeys = [older];
    const ring = { ...toFixedRing(keys), isFixed: false, current: () => keys };
    const ofSecrets: ClusterDeps["ofSecrets"] = (purpose, make) =>
      ofKeys(ring, (now) => make(deriveSecrets(now, purpose)));
    const open = async (name: string) =>
      (await start(name, { ofSecrets })).openCounter("tries", { max: 1, windowMs: 600_000 });
    const before = await open("a");
    keys = [newer, older];
    const behind = await open("b");
    expect(await before.take("ada")).toMatchObject({ isTaken: true });
    expect(await behind.take("ada")).toMatchObject({ isTaken: false });
  });

  test("who stops is gone at once", async () => {
    const [a, b] = [await start("a"), await start("b")];
    await until(() => a.link.list().length === 2);
    await b.close();
    await until(() => a.link.list().length === 1);
  });

  test("a Redis that is killed leaves each alone; behind its start they are together, under other addresses", async () => {
    const [a, b] = [await start("a"), await start("b")];
    await until(() => a.link.list().length === 2 && b.link.list().length === 2);
    await server.kill();
    await until(() => a.link.list().length === 1 && b.link.list().length === 1);
    expect(a.getState().isUp).toBe(false);
    await server.start();
    await until(() => listAll(a, b).every((list) => list.length === 2));
    expect(a.link.list()).toEqual([a.link.self, b.link.self]);
    expect(b.link.list()).toEqual(a.link.list());
    expect(a.link.self).not.toBe("a.1");
    const heard: unknown[] = [];
    b.link.on("word", (body) => heard.push(body));
    a.link.send(b.link.self, "word", "again");
    await until(() => heard.length === 1);
  });

  test("a Redis that hangs leaves each alone too, until it goes on", async () => {
    const [a, b] = [await start("a"), await start("b")];
    await until(() => a.link.list().length === 2 && b.link.list().length === 2);
    server.halt();
    await until(() => a.link.list().length === 1 && b.link.list().length === 1);
    server.goOn();
    await until(() => listAll(a, b).every((list) => list.length === 2));
    expect(b.link.list()).toEqual(a.link.list());
  });

  test("a process that starts while Redis is away is alone, and comes in when it is back", async () => {
    await server.kill();
    const a = await start("a");
    expect(a.link.list()).toEqual(["a.0"]);
    await server.start();
    const b = await start("b");
    await until(() => listAll(a, b).every((list) => list.length === 2));
  });
});
