import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { ModelInfo } from "#contract/content/models.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { asLogOwner } from "#test/database.ts";
import { until } from "#test/until.ts";

let site: TestApp;
let staff: TestPerson;
let visitor: TestPerson;
let models: ModelInfo[];
beforeAll(async () => {
  site = await createTestApp({ ownerEmail: "Owner@foyer.example" });
  staff = await site.signInAs(10);
  visitor = await site.signInAs(5);
  models = (await call("GET", "/api/admin/models/")).json().models;
  await site.listen();
});
afterAll(() => site.close());
beforeEach(() =>
  asLogOwner(site.database.pool, "DELETE FROM mail_message; DELETE FROM mail_alarm; DELETE FROM audit_entry"),
);

function call(method: "GET" | "POST" | "PATCH" | "DELETE", url: string, payload?: object, person = staff) {
  const headers = { authorization: person.authorization };
  return site.app.inject({ method, url, headers, ...(payload && { payload }) });
}

function objects(name: string): string {
  const model = models.find(({ app_label, model_name }) => app_label === "mail" && model_name === name);
  if (!model) throw new Error(`no model ${name}`);
  return `/api/admin/models/${model.content_type_id}/objects/`;
}

/** Mails of today that came back for good, as the reader leaves them. */
async function insertBounces(count: number): Promise<void> {
  await site.database.pool.query(
    `WITH mail AS (
       INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, status,
                                 handed_over_at, delivery_state)
       SELECT key, key, key, 'test', key || '@x.test', key || '@x.test', 'en', '{}', 'sent', now(), 'bounced'
       FROM (SELECT gen_random_uuid()::text AS key FROM generate_series(1, $1)) AS random RETURNING id, recipient
     ), notified AS (SELECT pg_notify('foyer_changed', 'mail.bounce'))
     INSERT INTO mail_bounce (message_id, email_address, mail_kind, source, verdict, bounce_type, bounce_subtype, bounced_at)
     SELECT id, recipient, 'test', 'ses', 'all', 'Permanent', 'General', now() FROM mail, notified`,
    [count],
  );
}

const hold = async () => (await call("GET", "/api/mail/hold/")).json();

test.each([
  ["GET", "/api/mail/hold/"],
  ["POST", "/api/mail/hold/release/"],
  ["POST", "/api/mail/hold/discard/"],
] as const)("%s %s is for level 10 and up", async (method, url) => {
  expect((await call(method, url, undefined, visitor)).statusCode).toBe(403);
  expect((await site.app.inject({ method, url })).statusCode).toBe(401);
  expect((await call(method, url)).json()).toEqual({
    alarms: [],
    is_held: false,
    held: 0,
    unreachable: [],
    returned: [],
  });
});

test("mails that come back raise an alarm by themselves; staff release it, and its history says who", async () => {
  await insertBounces(5);
  await until(async () => (await hold()).is_held);
  const { alarms } = await hold();
  expect(alarms).toMatchObject([
    { kind: "bounces", count: 5, total: 5, days: 7, rate: null, limit: null, holds: true },
  ]);
  const { rows } = await site.database.pool.query(
    "SELECT recipient FROM mail_message WHERE kind = 'delivery_alarm' ORDER BY id",
  );
  expect(rows).toEqual([{ recipient: "Owner@foyer.example" }, { recipient: "level_10@example.org" }]);
  expect((await call("POST", "/api/mail/hold/release/")).json()).toMatchObject({
    alarms: [],
    is_held: false,
  });
  const history = (await call("GET", `${objects("alarm")}${alarms[0].id}/history/`)).json();
  expect(JSON.stringify(history)).toContain("level_10");
  const audit = await site.database.pool.query(
    "SELECT detail, user_id FROM audit_entry WHERE detail IN ('alarm', 'release') ORDER BY id",
  );
  expect(audit.rows).toEqual([
    { detail: "alarm", user_id: null },
    { detail: "release", user_id: staff.userId },
  ]);
});

test("the rules are one record that staff change within its limits, and nobody makes, deletes or, as an alarm, writes", async () => {
  const { objects: found } = (await call("GET", objects("rules"))).json();
  expect(found).toHaveLength(1);
  const one = `${objects("rules")}${found[0].id}/`;
  const refused = await call("PATCH", one, { days: 0, bounce_limit: "100.01", complaint_limit: "0.00" });
  expect(refused.statusCode).toBe(400);
  expect(refused.json().errors).toMatchObject([
    { field: "days", code: "too_small" },
    { field: "bounce_limit", code: "too_big" },
    { field: "complaint_limit", code: "too_small", message: "At least 0.01." },
  ]);
  expect((await call("PATCH", one, { days: 3 }, visitor)).statusCode).toBe(403);
  expect((await call("POST", objects("rules"), { days: 3 })).statusCode).toBe(403);
  expect((await call("DELETE", one)).statusCode).toBe(403);
  expect((await call("POST", objects("alarm"), { kind: "bounces" })).statusCode).toBe(403);

  expect((await call("PATCH", one, { bounce_count_min: 2, alarm_holds: false })).statusCode).toBe(200);
  const history = (await call("GET", `${one}history/`)).json();
  expect(JSON.stringify(history)).toContain("bounce_count_min");
  await insertBounces(2);
  await until(async () => (await hold()).alarms.length === 1);
  expect(await hold()).toMatchObject({ is_held: false, alarms: [{ count: 2, holds: false }] });
  await call("POST", "/api/mail/hold/release/");
  await call("PATCH", one, { bounce_count_min: 5, alarm_holds: true });
});
