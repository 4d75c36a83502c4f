import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { toClientConfig } from "#server/db/pool.ts";
import type { FloorOptions } from "#server/open-floor.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { hasRedis, openRedisServer, type RedisServer } from "#test/redis-server.ts";
import { until } from "#test/until.ts";
import { type Cluster, openNotifyCluster, openRedisCluster } from "./open-cluster.ts";

let server: RedisServer | undefined;
let database: TestDatabase;
const apps: TestApp[] = [];
const clusters: Cluster[] = [];

type Carrying = "a Redis" | "their database alone";

/** A process of the site: a connection to the others of its own, on one database and data folder with them. */
async function addProcess(carrying: Carrying, dataDir?: string): Promise<TestApp> {
  const openCluster: FloorOptions["openCluster"] = async (deps) => {
    const cluster =
      carrying === "a Redis"
        ? await openRedisCluster(server?.url ?? "", deps)
        : await openNotifyCluster(toClientConfig(database.connection, "test"), deps);
    clusters.push(cluster);
    return cluster;
  };
  const shared = { ...database, close: async () => undefined };
  const app = await createTestApp({ database: shared, openCluster, ...(dataDir && { dataDir }) });
  apps.push(app);
  return app;
}

const CARRYING: readonly Carrying[] = hasRedis
  ? ["a Redis", "their database alone"]
  : ["their database alone"];

describe.each(CARRYING)("of three processes that share %s", (carrying) => {
  beforeAll(async () => {
    if (carrying === "a Redis") server = await openRedisServer();
    database = await createTestDatabase();
    const { dataDir } = await addProcess(carrying);
    await addProcess(carrying, dataDir);
    await addProcess(carrying, dataDir);
    await until(() => clusters.every(({ link }) => link.list().length === clusters.length));
  });
  afterAll(async () => {
    clusters.splice(0);
    for (const app of apps.splice(0)) await app.close();
    await database?.close();
    await server?.close();
    server = undefined;
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
    // And an entry says that more were refused: one, or one of each process where the machine is so busy that they don't wait for each other.
    const { rows } = await database.pool.query<{ detail: string }>(
      "SELECT detail FROM audit_entry WHERE detail IN ('failed_sign_in', 'too_many_sign_ins')",
    );
    const details = rows.map(({ detail }) => detail);
    expect(details.filter((detail) => detail === "failed_sign_in")).toHaveLength(5);
    const refused = details.filter((detail) => detail === "too_many_sign_ins").length;
    expect(refused).toBeGreaterThanOrEqual(1);
    expect(refused).toBeLessThanOrEqual(apps.length);
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
