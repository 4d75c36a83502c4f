import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { ModelInfo } from "#contract/content/models.ts";
import email from "#locales/en/admin-email.json" with { type: "json" };
import monitoring from "#locales/en/admin-email-monitoring.json" with { type: "json" };
import { DECLARED } from "#server/models/declared/all.ts";
import { createTestApp, type TestApp } from "#test/app.ts";

type Person = Awaited<ReturnType<TestApp["signInAs"]>>;

let site: TestApp;
let staff: Person;
let owner: Person;
let models: ModelInfo[];

async function call(method: "GET" | "POST" | "PATCH" | "DELETE", url: string, body?: object, as = staff) {
  const headers = { authorization: as.authorization };
  const answer = await site.app.inject({ method, url, headers, ...(body && { payload: body }) });
  return { status: answer.statusCode, body: answer.body ? answer.json() : undefined };
}

function objects(key: string, rest = ""): string {
  const model = models.find(({ app_label, model_name }) => `${app_label}.${model_name}` === key);
  if (!model) throw new Error(`no model ${key}`);
  return `/api/admin/models/${model.content_type_id}/objects/${rest}`;
}

beforeAll(async () => {
  site = await createTestApp();
  owner = await site.signInAs(999);
  staff = await site.signInAs(10);
  models = (await call("GET", "/api/admin/models/")).body.models;
});
afterAll(() => site.close());

test("what names people asks for a recent log-in before it is exported", () => {
  /** The owner's own, and who of the staff ended an alarm. */
  const ofStaff = ["cv.profile", "site.settings", "mail.alarm"];
  const keys = DECLARED.filter(({ fields }) =>
    Object.values(fields).some(
      ({ kind, related, author }) => /email$/.test(kind) || (related === "accounts.user" && !author),
    ),
  ).map(({ app, name }) => `${app}.${name}`);
  const asking = DECLARED.filter(({ stepUp }) => stepUp?.export).map(({ app, name }) => `${app}.${name}`);
  expect(keys.length).toBeGreaterThan(5);
  expect(keys.filter((key) => !ofStaff.includes(key) && !asking.includes(key))).toEqual([]);
});

test("suppressions are only read here: their own calls change them, with a reason", async () => {
  const stop = { address: "Ada@Example.org", scope: "all", reason: "Asked by phone" };
  const { rows } = await site.database.pool.query<{ id: number }>(
    "INSERT INTO mail_suppression (address, scope, reason) VALUES ('b@x.test', 'all', '') RETURNING id",
  );
  const id = rows[0]?.id ?? 0;
  const one = objects("mail.suppression", `${id}/`);
  for (const person of [staff, owner]) {
    expect((await call("POST", objects("mail.suppression"), stop, person)).status).toBe(403);
    expect((await call("PATCH", one, { expires_at: "2020-01-01T00:00:00Z" }, person)).status).toBe(403);
    expect((await call("DELETE", one, undefined, person)).status).toBe(403);
    const request = { operation: "delete", object_ids: [id] };
    expect((await call("POST", objects("mail.suppression", "bulk/"), request, person)).status).toBe(403);
    expect((await call("GET", one, undefined, person)).status).toBe(200);
  }
});

test("a suppression leads to the event that reported it", async () => {
  const { rows } = await site.database.pool.query<{ id: number; source_event_id: number }>(
    `WITH event AS (
       INSERT INTO mail_event (kind, source, event_key, recipient, recipient_key, parser_version)
       VALUES ('bounced', 'ses', 'told', 'c@x.test', 'c@x.test', 1) RETURNING id
     )
     INSERT INTO mail_suppression (address, scope, reason, source, source_event_id)
     SELECT 'c@x.test', 'all', '', 'bounce', id FROM event RETURNING id, source_event_id`,
  );
  const [{ id, source_event_id } = { id: 0, source_event_id: 0 }] = rows;
  const one = (await call("GET", objects("mail.suppression", `${id}/`))).body;
  expect(JSON.stringify(one)).toContain(`"source_event":{"id":${source_event_id},"repr":"c@x.test"}`);
});

test("values of mail have one name in the whole console", () => {
  const { bounceTypes, feedbackTypes, sources, fields } = email.emailLists;
  const find = (model: string, name: string) =>
    models.find(({ model_name }) => model_name === model)?.fields.find((field) => field.name === name);
  const namesOf = (model: string, name: string) =>
    Object.fromEntries((find(model, name)?.choices ?? []).map(({ value, label }) => [value, label]));
  expect(namesOf("event", "bounce_type")).toEqual(bounceTypes);
  expect(bounceTypes).toMatchObject(namesOf("bounce", "bounce_type"));
  expect(namesOf("complaint", "feedback_type")).toEqual(feedbackTypes);
  for (const model of ["event", "bounce", "complaint"]) expect(namesOf(model, "source")).toEqual(sources);
  expect(monitoring.emailMonitoring.sources.names).toEqual(sources);
  expect(find("bounce", "bounced_at")?.verbose_name).toBe(fields.bounced_at);
});

test("a mail is read without what opens its links, and nobody writes one", async () => {
  await site.database.pool.query(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, secret)
     VALUES ('TOKEN', 'REPORT', '<id@site.test>', 'verification_code', 'ada@example.org', 'KEY', 'en', '{"name": "VARS"}', 'SECRET')`,
  );
  const { body } = await call("GET", objects("mail.message", "?search=ada"));
  expect(body.objects).toMatchObject([
    { repr: "ada@example.org", status: "pending", kind: "verification_code" },
  ]);
  expect(JSON.stringify(body)).not.toMatch(/TOKEN|VARS|SECRET/);
  expect((await call("POST", objects("mail.message"), { recipient: "x@example.org" })).status).toBe(403);
  expect((await call("DELETE", objects("mail.message", `${body.objects[0].id}/`))).status).toBe(403);
});

test("the log is read as a model, newest first, and nobody writes it", async () => {
  const filter = "?filters[0][field]=action_type&filters[0][value]=LOGIN";
  const { body } = await call("GET", objects("audit.entry", filter));
  const user = { id: staff.userId, repr: "level_10" };
  expect(body.objects[0]).toMatchObject({ user, username: "level_10" });
  expect(body.objects[0]).not.toHaveProperty("changes");
  expect((await call("POST", objects("audit.entry"), { username: "x" })).status).toBe(403);
  expect((await call("GET", objects("audit.entry", "?sort[0][field]=username"))).status).toBe(400);
});

test("people are found by what their level makes them", async () => {
  const filter =
    "?filters[0][field]=is_staff&filters[0][value]=true&filters[1][field]=is_superuser&filters[1][value]=false";
  const { body } = await call("GET", objects("accounts.user", filter));
  expect(body.objects).toMatchObject([
    { username: "level_10", access_level: 10, is_staff: true, is_superuser: false },
  ]);
});

test("every model says what it is, what its list shows and how it is sorted", () => {
  for (const model of models) {
    expect(model.description).not.toBe("");
    expect(model.list_columns.length).toBeGreaterThan(0);
    expect(model.default_sort.length === 0).toBe(model.is_singleton);
  }
});

test("no model lets anybody below a superuser delete its objects, but for rooms, what moderators can lift, and links and addresses that are to end", () => {
  const byStaff = models.filter(({ permissions }) => permissions.delete).map(({ model_name }) => model_name);
  expect(byStaff.sort()).toEqual(["invitation", "redirect", "restriction", "room"]);
});

test.each([
  [
    "contact.message",
    "INSERT INTO contact_message (name, email, subject, message, language, challenge_id) VALUES ('Ada', 'a@x.test', 'Hi', 'Hello', 'en', 'x') RETURNING id",
  ],
])("%s is deleted by superusers alone, at every endpoint", async (key, sql) => {
  const { rows } = await site.database.pool.query<{ id: number }>(sql);
  const id = rows[0]?.id ?? 0;
  const one = objects(key, `${id}/`);
  const bulk = objects(key, "bulk/");
  const request = { operation: "delete", object_ids: [id] };
  expect((await call("DELETE", one)).status).toBe(403);
  expect((await call("POST", bulk, request)).status).toBe(403);
  expect((await call("POST", `${bulk}preview/`, request)).status).toBe(403);
  expect((await call("GET", one)).status).toBe(200);
  expect((await call("POST", bulk, request, owner)).body).toMatchObject({ affected_count: 1 });
});
