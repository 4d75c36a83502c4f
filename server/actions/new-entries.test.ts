import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import fastify, { type InjectOptions } from "fastify";
import { toLiveTopic } from "#contract/content/objects.ts";
import { publishEntries } from "#server/actions/routes.ts";
import { recordAudit } from "#server/audit/service.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { createNotices, type RowChange } from "#server/db/change-notices.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { withZod } from "#server/http/zod.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { receiveAll } from "#test/receive-all.ts";
import { openSocketClient } from "#test/socket-client.ts";
import { until } from "#test/until.ts";

/** Longer than a notice waits for others. */
const QUIET_MS = 150;

let site: TestApp;
let owner: TestPerson;
let origin: string;
let certificates: string;
const received: RowChange[] = [];
/** Statements of the whole server. */
let running = 0;

/** All that was published is received: it waits for less than QUIET_MS to be sent. */
async function receiveEntries(): Promise<void> {
  await setTimeout(QUIET_MS);
  await until(() => running === 0);
  await receiveAll(site.database.pool, site.feed);
}

beforeAll(async () => {
  site = await createTestApp();
  origin = await site.listen();
  owner = await site.signInAs(999);
  const { rows } = await site.database.pool.query<{ id: number }>(
    "SELECT id FROM content_type WHERE app_label = 'cv' AND model_name = 'certificate'",
  );
  certificates = `/api/admin/models/${rows[0]?.id}/objects/`;
  site.feed.subscribeRows((modelKey, change) => {
    if (modelKey === "audit.entry") received.push(change);
  });
  const { pool } = site.database;
  const query = pool.query.bind(pool) as (...values: unknown[]) => Promise<unknown>;
  pool.query = (async (...values: unknown[]) => {
    running += 1;
    try {
      return await query(...values);
    } finally {
      running -= 1;
    }
  }) as never;
});
beforeEach(async () => {
  await receiveEntries();
  received.length = 0;
});
afterAll(() => site.close());

const call = (options: InjectOptions) =>
  site.app.inject({ ...options, headers: { authorization: owner.authorization } });
const add = () => call({ method: "POST", url: certificates, payload: { label: { en: "CKA", tr: "CKA" } } });
async function countEntries(): Promise<number> {
  const { rows } = await site.database.pool.query("SELECT FROM audit_entry");
  return rows.length;
}

const writing: [string, number, () => Promise<{ statusCode: number }>][] = [
  ["a row that is made", 201, add],
  [
    "a log-in that fails",
    401,
    () =>
      site.app.inject({
        method: "POST",
        url: "/api/users/login/",
        payload: { username: "nobody", password: "Wrong-Horse-1" },
      }),
  ],
  ["an export", 200, () => call({ method: "GET", url: `${certificates}export/?format=csv` })],
  ["a person's own export", 200, () => call({ method: "GET", url: "/api/users/export" })],
];

test.each(writing)("%s is published as new entries of the log", async (_what, status, send) => {
  const before = await countEntries();
  expect((await send()).statusCode).toBe(status);
  expect(await countEntries()).toBe(before + 1);
  await receiveEntries();
  expect(received).toEqual([{ type: "created", ids: [], isMany: true }]);
});

test("what writes no entries publishes none", async () => {
  await call({ method: "GET", url: certificates });
  await call({ method: "POST", url: "/api/nothing/" });
  await call({ method: "POST", url: "/socket/longpoll?vsn=2.0.0", payload: "[]" });
  await receiveEntries();
  expect(received).toEqual([]);
});

test("entries of many requests at once are published, and none of them alone", async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, add));
  expect(answers.every(({ statusCode }) => statusCode === 201)).toBe(true);
  await receiveEntries();
  expect(received.length).toBeGreaterThan(0);
  expect(received.every(({ ids, isMany }) => isMany && ids.length === 0)).toBe(true);
});

test("entries of all requests that come while a notice is on its way are published together", async () => {
  const sent: unknown[] = [];
  const arrived = Promise.withResolvers<void>();
  const query = async (_text: string, values: unknown[]) => {
    sent.push(...values);
    await arrived.promise;
    return { rows: [] };
  };
  const notices = createNotices({ query } as never, { warn: () => undefined }); // only `query` is used
  const app = withZod(fastify());
  publishEntries(app, notices);
  app.post("/api/anything/", () => "written");
  const write = () => app.inject({ method: "POST", url: "/api/anything/" });
  await write();
  await until(() => sent.length === 1);
  await Promise.all(Array.from({ length: 100 }, write));
  arrived.resolve();
  await app.close();
  await notices.close();
  const notice = 'audit.entry {"type":"created","ids":[],"isMany":true}';
  expect(sent).toEqual([[notice], [notice]]);
});

test("what no request writes is published at its commit", async () => {
  const { pool } = site.database;
  await withTransaction(pool, async (db) => {
    await recordAudit(db, SYSTEM_ACTOR, { action: "UPDATE" }, { action: "UPDATE" });
    await recordAudit(db, SYSTEM_ACTOR, { action: "UPDATE" });
    await receiveEntries();
    expect(received).toEqual([]);
  });
  await receiveEntries();
  expect(received).toHaveLength(1);
});

test("an open list of the log receives a write", async () => {
  const url = `${origin.replace("http", "ws")}/socket/websocket?vsn=2.0.0&token=${owner.accessToken}`;
  const client = await openSocketClient(url);
  expect(await client.join(toLiveTopic("audit.entry"))).toBe("ok");
  await add();
  const [event] = await client.take("changed");
  expect(event?.[4]).toMatchObject({ is_many: true });
  client.close();
});
