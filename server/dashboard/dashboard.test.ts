import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { ModelInfo } from "#contract/content/models.ts";
import { recordAudit } from "#server/audit/service.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { createDashboard } from "./service.ts";

const NOW = new Date();
const DAY_MS = 24 * 60 * 60 * 1000;
const toDay = (daysAgo: number) => new Date(NOW.getTime() - daysAgo * DAY_MS).toISOString().slice(0, 10);
let site: TestApp;
let staff: { authorization: string };

async function get(headers: Record<string, string>) {
  const answer = await site.app.inject({ url: "/api/admin/dashboard/", headers });
  return { status: answer.statusCode, body: answer.json() };
}

beforeAll(async () => {
  site = await createTestApp({ now: () => NOW });
  staff = await site.signInAs(10);
});
afterAll(() => site.close());

test.each([
  [401, null],
  [403, 0],
  [403, 1],
  [403, 5],
])("the dashboard answers %d to level %s", async (status, level) => {
  const headers = level === null ? {} : await site.signInAs(level);
  expect((await get(headers as Record<string, string>)).status).toBe(status);
});

test("it counts people, actions and models, and shows the newest actions and six models", async () => {
  const { pool } = site.database;
  for (let index = 0; index < 12; index++)
    await recordAudit(pool, SYSTEM_ACTOR, { action: "VIEW", objectRepr: `entry ${index}` });
  const { rows } = await pool.query(
    "SELECT (SELECT count(*)::integer FROM account_user) AS users, (SELECT count(*)::integer FROM audit_entry) AS actions",
  );
  const { status, body } = await get(staff);
  expect(status).toBe(200);
  expect(body.stats).toMatchObject({
    total_users: rows[0].users,
    total_actions: rows[0].actions,
    uptime: null,
  });
  expect(body.stats.available_models).toBeGreaterThan(6);
  expect(body.available_models).toHaveLength(6);
  expect(body.recent_actions).toHaveLength(10);
  expect(body.recent_actions[0]).toMatchObject({ object_repr: "entry 11", user: null, action_type: "VIEW" });
  expect(body.activity).toHaveLength(30);
  expect(body.activity.at(-1)).toEqual({ date: toDay(0), actions: rows[0].actions, sign_ups: rows[0].users });
});

test("what lists estimate is an estimate here", async () => {
  const model = (app_label: string, model_name: string, is: boolean) =>
    ({ app_label, model_name, count: 21_234, count_is_estimate: is, content_type_id: 1 }) as ModelInfo;
  const dashboard = createDashboard({
    db: site.database.pool,
    content: { listModels: async () => [model("audit", "entry", true), model("accounts", "user", false)] },
    listActions: async () => [],
    getAvailability: async () => null,
    now: () => NOW,
  });
  const { stats } = await dashboard.get({ actor: SYSTEM_ACTOR, lang: "en" });
  expect(stats).toMatchObject({
    total_actions: 21_234,
    total_actions_is_estimate: true,
    total_users_is_estimate: false,
  });
});

test("new people are compared with the thirty days before, if there were any", async () => {
  const { pool } = site.database;
  /** As a process that has just begun, without days that it counted before. */
  const readNewUsers = async () => {
    const dashboard = createDashboard({
      db: pool,
      content: { listModels: async () => [] },
      listActions: async () => [],
      getAvailability: async () => null,
      now: () => NOW,
    });
    return (await dashboard.get({ actor: SYSTEM_ACTOR, lang: "en" })).stats.new_users;
  };
  const add = (name: string, daysAgo: number) =>
    pool.query(
      `INSERT INTO account_user (username, email, password_hash, access_level_id, created_at)
       SELECT $1, $1 || '@example.org', '', min(id), $2 FROM access_level`,
      [name, new Date(NOW.getTime() - daysAgo * DAY_MS).toISOString()],
    );
  const begin = (await readNewUsers())?.value ?? 0;
  expect(begin).toBeGreaterThan(0);
  expect((await readNewUsers())?.trend).toBeNull();
  await add("before_1", 40);
  await add("before_2", 59);
  await add("long_ago", 61);
  await add("lately", 29);
  expect(await readNewUsers()).toEqual({ value: begin + 1, trend: (begin + 1 - 2) / 2 });
});
