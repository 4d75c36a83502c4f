import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { hasRedis, openRedisServer } from "#test/redis-server.ts";
import { until } from "#test/until.ts";
import { openRedis } from "./redis.ts";

const withRedis = hasRedis ? describe : describe.skip;
const ANSWER_MS = 1_000;

/**
 * A network between a client and Redis. `lose()`: its connections stay open, and nothing goes through any more; new ones are fine. `lostPings`: how
 * often the client asked each of those whether it still stands.
 */
async function openNetwork(url: string) {
  let lost = false;
  const pairs: [Socket, Socket][] = [];
  const lostPings = new Map<Socket, number>();
  const server = createServer((near) => {
    const far = connect(Number(new URL(url).port), "127.0.0.1");
    pairs.push([near, far]);
    const isLost = lost ? () => false : () => lost;
    near.on("data", (bytes) => {
      if (!isLost()) far.write(bytes);
      else if (bytes.includes("PING")) lostPings.set(near, (lostPings.get(near) ?? 0) + 1);
    });
    far.on("data", (bytes) => isLost() || near.write(bytes));
    near.on("error", () => undefined).on("close", () => isLost() || far.destroy());
    far.on("error", () => undefined).on("close", () => isLost() || near.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lostPings,
    lose: () => {
      lost = true;
    },
    close: () => {
      for (const socket of pairs.flat()) socket.destroy();
      server.close();
    },
  };
}

withRedis("Redis", () => {
  test("is there as soon as it is opened, and isn't taken for away by a process that stood still itself", async () => {
    const server = await openRedisServer();
    const redis = await openRedis({ url: server.url, log: pino({ level: "silent" }), answerMs: ANSWER_MS });
    try {
      expect(redis.isUp).toBe(true);
      const changes: boolean[] = [];
      redis.onChange((isUp) => changes.push(isUp));
      const asked = redis.ask((client) => client.ping());
      const end = performance.now() + ANSWER_MS * 1.5;
      while (performance.now() < end) JSON.parse("{}");
      expect(await asked).toBe("PONG");
      expect(changes).toEqual([]);
    } finally {
      await redis.close();
      await server.close();
    }
  });

  test("whose connections are lost without a word is reached over new ones, and heard again", async () => {
    const server = await openRedisServer();
    const network = await openNetwork(server.url);
    const log = pino({ level: "silent" });
    const redis = await openRedis({ url: network.url, log, answerMs: 250, silentMs: 3_000 });
    const publisher = await openRedis({ url: server.url, log });
    try {
      const heard: string[] = [];
      await redis.subscribe("news", (message) => heard.push(message));
      const isBack = new Promise<void>((resolve) => redis.onChange((isUp) => isUp && resolve()));
      network.lose();
      // As a process does that doesn't know yet: so one connection is silent for longer than the other one.
      const telling = setInterval(() => {
        if (redis.isUp) redis.publish("news", "lost").catch(() => undefined); // it is lost
      }, 100);
      await isBack.finally(() => clearInterval(telling));
      // One more question would have made it wait for another time.
      expect([...network.lostPings.values()]).toEqual([1, 1]);
      expect(await redis.ask((client) => client.ping())).toBe("PONG");
      await publisher.publish("news", "back");
      await until(() => heard.length > 0);
      expect(heard).toEqual(["back"]);
    } finally {
      await redis.close();
      await publisher.close();
      network.close();
      await server.close();
    }
  });
});
