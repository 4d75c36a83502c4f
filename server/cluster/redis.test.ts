import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { hasRedis, openRedisServer } from "#test/redis-server.ts";
import { openRedis } from "./redis.ts";

const withRedis = hasRedis ? describe : describe.skip;
const ANSWER_MS = 1_000;

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
});
