import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { FloorOptions } from "#server/open-floor.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { hasRedis, openRedisServer, type RedisServer } from "#test/redis-server.ts";
import { openRedisCluster } from "./open-cluster.ts";

const withRedis = hasRedis ? describe : describe.skip;

let server: RedisServer;
let database: TestDatabase;
const apps: TestApp[] = [];

/** A process of the site: a connection to Redis of its own, on one database and data folder with the others. */
async function addProcess(dataDir?: string): Promise<TestApp> {
  const openCluster: FloorOptions["openCluster"] = (deps) => openRedisCluster(server.url, deps);
  const shared = { ...database, close: async () => undefined };
  const app = await createTestApp({ database: shared, openCluster, ...(dataDir && { dataDir }) });
  apps.push(app);
  return app;
}

withRedis("of three processes that share a Redis", () => {
  beforeAll(async () => {
    server = await openRedisServer();
    database = await createTestDatabase();
    const { dataDir } = await addProcess();
    await addProcess(dataDir);
    await addProcess(dataDir);
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await database?.close();
    await server?.close();
  });

  /** Each request comes from an address of its own, and goes to the next process. */
  const post = (index: number, url: string, payload: object) =>
    (apps[index % apps.length] as TestApp).app.inject({
      method: "POST",
      url,
      remoteAddress: `198.51.100.${index}`,
      payload,
    });

  async function countStatuses(count: number, request: (index: number) => ReturnType<typeof post>) {
    const answers = await Promise.all(Array.from({ length: count }, (_, index) => request(index)));
    const statuses = new Map<number, number>();
    for (const { statusCode } of answers) statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    return Object.fromEntries(statuses);
  }

  test("thirty wrong passwords at once are compared five times, as with one", async () => {
    const [site] = apps;
    const person = await site?.signInAs(1, "ada");
    const logIn = (index: number, password: string) =>
      post(index, "/api/users/login/", { username: "ada", password });
    expect(await countStatuses(30, (index) => logIn(index, `Wrong-${index}`))).toEqual({ 401: 5, 429: 25 });
    for (const index of [40, 41, 42]) {
      const answer = await logIn(index, person?.password ?? "");
      expect(answer.statusCode).toBe(429);
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    }
    // And one entry says that more were refused.
    const { rows } = await database.pool.query<{ detail: string }>(
      "SELECT detail FROM audit_entry WHERE detail IN ('failed_sign_in', 'too_many_sign_ins')",
    );
    const details = rows.map(({ detail }) => detail);
    expect(details.filter((detail) => detail === "failed_sign_in")).toHaveLength(5);
    expect(details.filter((detail) => detail === "too_many_sign_ins")).toHaveLength(1);
  });

  test("thirty messages without a proof are stored twenty times, as with one", async () => {
    const send = (index: number) =>
      post(index, "/api/contact/", {
        name: "Işıl Örnek",
        email: "isil@foyer.example",
        subject: "A question",
        message: `The question with the number ${index}`,
      });
    expect(await countStatuses(30, send)).toEqual({ 200: 20, 429: 10 });
  });
});
