import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createClient } from "@redis/client";
import { pino } from "pino";
import { hasRedis, openRedisServer, type RedisServer } from "#test/redis-server.ts";
import { until } from "#test/until.ts";
import { type Cluster, openRedisCluster } from "./open-cluster.ts";

const withRedis = hasRedis ? describe : describe.skip;

let server: RedisServer;
const open: Cluster[] = [];

async function start(processId: string, databaseName = "site", url = server.url): Promise<Cluster> {
  const cluster = await openRedisCluster(url, {
    ...{ processId, databaseName },
    deriveSecrets: () => [Buffer.alloc(32)],
    steadyMs: () => performance.now(),
    log: pino({ level: "silent" }),
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
    const [a, b, stranger] = [await start("a"), await start("b"), await start("c", "another")];
    await until(() => a.link.list().length === 2 && b.link.list().length === 2);
    expect(stranger.link.list()).toEqual(["c.1"]);
    expect(a.getState()).toEqual({ isUp: true, carrier: "redis", server: server.url, processes: 2 });
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
      const b = await start("b", "site", server.url.replace("//", "//foyer:secret@"));
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
