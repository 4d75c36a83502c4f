import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { ModelInfo } from "#contract/content/models.ts";
import { createSuperuser } from "#server/accounts/owners.ts";
import { createPasswordRules } from "#server/accounts/passwords/password-rules.ts";
import { deleteOldAlerts, raiseAlert } from "#server/audit/service.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { QUICK_PASSWORDS } from "#test/quick-passwords.ts";
import { until } from "#test/until.ts";
import { noteKeys } from "./alerts.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

let site: TestApp;
let owner: TestPerson;
let staff: TestPerson;
let models: ModelInfo[];
const clock = { now: Date.now() };

beforeAll(async () => {
  site = await createTestApp({ now: () => new Date(clock.now), trustProxy: (_address, hop) => hop < 1 });
  owner = await site.signInAs(999, "owner");
  staff = await site.signInAs(10, "staff");
  await site.database.pool.query("UPDATE account_user SET admin_language = 'tr' WHERE username = 'owner'");
  models = (await call("GET", "/api/admin/models/")).json().models;
  await site.listen();
});
afterAll(() => site.close());
/** Another log-in of theirs. */
async function logIn(person: TestPerson): Promise<TestPerson> {
  const { username, password } = person;
  const answer = await site.app.inject({
    method: "POST",
    url: "/api/users/login/",
    payload: { username, password },
  });
  return { ...person, authorization: `Bearer ${answer.json().tokens.access_token}` };
}

beforeEach(async () => {
  clock.now += HOUR_MS; // what one test counted is over in the next
  [owner, staff] = [await logIn(owner), await logIn(staff)];
  await site.database.pool.query(
    "DELETE FROM audit_alert; DELETE FROM mail_message; DELETE FROM content_export; DELETE FROM mail_suppression",
  );
});

function call(method: "GET" | "POST" | "PATCH" | "DELETE", url: string, payload?: object, person = owner) {
  const headers = { authorization: person.authorization };
  return site.app.inject({ method, url, headers, ...(payload && { payload }) });
}

function objects(key: string): string {
  const model = models.find(({ app_label, model_name }) => `${app_label}.${model_name}` === key);
  if (!model) throw new Error(`no model ${key}`);
  return `/api/admin/models/${model.content_type_id}/objects/`;
}

const ALERTS = `SELECT kind, p.username AS person, b.username AS by, about, count, ip_address
  FROM audit_alert a LEFT JOIN account_user p ON p.id = a.user_id LEFT JOIN account_user b ON b.id = a.by_id ORDER BY a.id`;
const readAlerts = async () => (await site.database.pool.query(ALERTS)).rows;

async function readMails() {
  const { rows } = await site.database.pool.query<{ recipient: string; vars: Record<string, string> }>(
    "SELECT recipient, vars FROM mail_message WHERE kind = 'security_alert' ORDER BY id",
  );
  return rows;
}

/** What was raised, once it is mailed to the one owner. */
async function takeAlert() {
  await until(async () => (await readMails()).length > 0);
  const [alerts, mails] = [await readAlerts(), await readMails()];
  expect([alerts.length, mails.map(({ recipient }) => recipient)]).toEqual([1, [owner.email]]);
  return { alert: alerts[0], vars: mails[0]?.vars };
}

async function setSwitch(kind: string, isOn: boolean) {
  const [row] = (await call("GET", objects("audit.alert_rules"))).json().objects;
  const answer = await call("PATCH", `${objects("audit.alert_rules")}${row.id}/`, { [kind]: isOn });
  expect(answer.statusCode).toBe(200);
}

let people = 0;
const addPerson = (level = 1) => site.signInAs(level, `person_${++people}`);

async function reuseToken() {
  const person = await addPerson();
  const refresh = () =>
    site.app.inject({
      method: "POST",
      url: "/api/auth/token/refresh/",
      payload: { refresh: person.refreshToken },
      remoteAddress: "192.0.2.9",
    });
  clock.now += 31_000;
  expect((await refresh()).statusCode).toBe(200);
  clock.now += 31_000;
  expect((await refresh()).statusCode).toBe(401);
  return { person: person.username, by: null, ip_address: "192.0.2.9" };
}

/** Each from another address, so that nobody waits for the pause after a wrong one. */
async function guess(count: number, toName: (index: number) => string) {
  for (let index = 0; index < count; index++) {
    const answer = await site.app.inject({
      method: "POST",
      url: "/api/users/login/",
      payload: { username: toName(index), password: "Wrong-horse-1" },
      headers: { "x-forwarded-for": `198.51.100.${index}` },
    });
    expect([401, 429]).toContain(answer.statusCode);
  }
}

async function guessAccount() {
  const person = await addPerson();
  await guess(25, () => person.username);
  return { person: person.username, by: null, count: 20, ip_address: "198.51.100.19" };
}

const findLevel = async (level: number) => {
  const { rows } = await site.database.pool.query("SELECT id FROM access_level WHERE level = $1", [level]);
  return Number(rows[0].id);
};

const writePerson = (person: TestPerson, values: object) =>
  call("PATCH", `${objects("accounts.user")}${person.userId}/`, values);

async function raiseLevel() {
  const person = await addPerson();
  const answer = await writePerson(person, { access_level_id: await findLevel(10) });
  expect(answer.statusCode).toBe(200);
  return { person: person.username, by: "owner", about: { en: "10", tr: "10" }, ip_address: "127.0.0.1" };
}

const exportRows = (key: string, person: TestPerson) =>
  call("GET", `${objects(key)}export/?format=csv`, undefined, person);

async function exportPeople() {
  const person = await addPerson(10);
  for (const key of ["accounts.user", "accounts.user", "audit.entry"])
    expect((await exportRows(key, person)).statusCode).toBe(200);
  return { person: person.username, by: null, about: { en: "Users", tr: "Kullanıcılar" } };
}

async function removePasskey(level = 10) {
  const person = await addPerson(level);
  const { rows } = await site.database.pool.query(
    `INSERT INTO account_passkey (user_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
     VALUES ($1, $2, 'x', 0, '{}', false, 'Phone', now()) RETURNING id`,
    [person.userId, `key ${person.username}`],
  );
  // They showed it at their log-in.
  await site.database.pool.query(
    "UPDATE account_session SET factor_shown_at = confirmed_at WHERE user_id = $1",
    [person.userId],
  );
  const url = `/api/users/second-factor/passkeys/${rows[0].id}/`;
  expect((await call("DELETE", url, undefined, person)).statusCode).toBe(200);
  return { person: person.username, by: person.username };
}

describe.each([
  ["token_reuse", reuseToken, "Bir oturum çalınmış olabilir"],
  ["failed_log_ins", guessAccount, "Çok sayıda başarısız giriş"],
  ["new_staff", raiseLevel, "Yeni bir yönetici var"],
  ["first_export", exportPeople, "Kişisel veri dışa aktarıldı"],
  ["factor_off", () => removePasskey(), "Bir ikinci doğrulama kaldırıldı"],
])("%s", (kind, happen, title) => {
  test("is one alert, and one mail in the owner's language", async () => {
    const seen = await happen();
    const { alert, vars } = await takeAlert();
    expect(alert).toMatchObject({ kind, ...seen });
    expect(vars).toMatchObject({ title, by: seen.by ?? "", more: "" });
    expect(vars?.text).toContain(seen.person);
    expect(vars?.text).not.toMatch(/\{\{|null/);
  });

  test("is none where it is switched off", async () => {
    await setSwitch(kind, false);
    await happen();
    await setSwitch(kind, true);
    expect(await readAlerts()).toEqual([]);
    await happen();
    expect((await takeAlert()).alert).toMatchObject({ kind });
  });
});

describe("what is no alert", () => {
  test("log-ins that fail below the number, by a name that is nobody's, or that go well", async () => {
    const person = await addPerson();
    await guess(19, () => person.username);
    await guess(30, () => "nobody_has_this");
    await addPerson();
    expect(await readAlerts()).toEqual([]);
  });

  test("a level that opens no console, or a lower one of staff", async () => {
    const person = await addPerson(20);
    for (const level of [10, 1])
      expect((await writePerson(person, { access_level_id: await findLevel(level) })).statusCode).toBe(200);
    expect(await readAlerts()).toEqual([]);
  });

  test("an export that holds nobody's data, and a second factor of somebody who is no staff", async () => {
    expect((await exportRows("cv.skill", staff)).statusCode).toBe(200);
    await removePasskey(1);
    expect(await readAlerts()).toEqual([]);
  });
});

test("failed log-ins on many accounts are one alert about the whole site, without an address", async () => {
  await guess(120, (index) => `stranger_${index % 40}`);
  const { alert, vars } = await takeAlert();
  expect(alert).toMatchObject({ kind: "failed_log_ins", person: null, count: 100, ip_address: null });
  expect(vars?.text).toContain("100");
});

describe("new staff", () => {
  test("are those that the console makes with a level, and superusers of the command line but the first", async () => {
    const made = await call("POST", objects("accounts.user"), {
      username: "made_staff",
      email: "made_staff@example.org",
      access_level_id: await findLevel(10),
    });
    expect(made.statusCode).toBe(201);
    const { pool } = site.database;
    const input = { username: "second_owner", email: "second@example.org", password: "Correct-horse-1" };
    const log = { warn: () => undefined };
    await createSuperuser(
      { pool, passwords: QUICK_PASSWORDS, passwordRules: createPasswordRules({ log }) },
      input,
    );
    expect(await readAlerts()).toMatchObject([
      { person: "made_staff", by: "owner", about: { en: "10" } },
      { person: "second_owner", by: null, about: { en: "999" } },
    ]);
    await pool.query("DELETE FROM account_user WHERE username = 'second_owner'");
  });

  test("are all who have a level whose number rises to one of staff: one alert that says how many", async () => {
    await addPerson(4);
    await addPerson(4);
    const level = await findLevel(4);
    const answer = await call("PATCH", `${objects("accounts.access_level")}${level}/`, { level: 30 });
    expect(answer.statusCode).toBe(200);
    expect(await readAlerts()).toMatchObject([{ person: null, by: "owner", count: 2, about: { en: "30" } }]);
  });

  test("are people who are let in again with such a level", async () => {
    const person = await addPerson(10);
    expect((await writePerson(person, { is_active: false })).statusCode).toBe(200);
    expect(await readAlerts()).toEqual([]);
    expect((await writePerson(person, { is_active: true })).statusCode).toBe(200);
    expect(await readAlerts()).toMatchObject([{ kind: "new_staff", person: person.username }]);
  });
});

test("the keys of the latest start are known: others are an alert that nothing switches off, the same are none", async () => {
  const { pool } = site.database;
  const { rows } = await pool.query("SELECT known_keys FROM audit_alert_rules");
  const known = String(rows[0].known_keys);
  await noteKeys(pool, [known]);
  expect(await readAlerts()).toEqual([]);
  await pool.query("UPDATE audit_alert_rules SET token_reuse = false, new_staff = false");
  await noteKeys(pool, ["new", known]);
  await noteKeys(pool, [known, "new"]);
  await noteKeys(pool, ["new"]);
  await noteKeys(pool, ["new"]);
  await pool.query("UPDATE audit_alert_rules SET token_reuse = true, new_staff = true");
  expect(await readAlerts()).toMatchObject([
    { kind: "keys_changed", about: { en: "a new key signs", tr: "yeni bir anahtarla imzalanıyor" } },
    { kind: "keys_changed", about: { en: "older keys were taken out" } },
  ]);
});

test("a start with other keys alerts", async () => {
  const other = await createTestApp({ database: { ...site.database, close: async () => undefined } });
  expect(await readAlerts()).toMatchObject([{ kind: "keys_changed", about: { en: "a new key signs" } }]);
  // Else it could come in the middle of the next test.
  await until(async () => (await readMails()).length === 1);
  await other.close();
});

const raise = (kind: "token_reuse" | "first_export" = "token_reuse") =>
  raiseAlert(site.database.pool, { kind, userId: staff.userId, ipAddress: "192.0.2.1" });

describe("mails", () => {
  test("of a kind come once an hour, and the next one says how many more there were", async () => {
    await raise();
    await until(async () => (await readMails()).length === 1);
    for (let index = 0; index < 20; index++) await raise();
    await raise("first_export");
    await until(async () => (await readMails()).length === 2);
    expect((await readAlerts()).length).toBe(22);
    // The next one comes by the clock, about the newest of those that waited.
    clock.now += HOUR_MS + 1000;
    site.feed.announce("audit.alert");
    await until(async () => (await readMails()).length === 3);
    expect((await readMails()).map(({ vars }) => vars.more)).toEqual(["", "", "19"]);
  });

  test("about the owner aren't held back by those that anybody makes about an account of their own", async () => {
    const anybody = await addPerson();
    const raiseOf = ({ userId }: TestPerson) =>
      raiseAlert(site.database.pool, { kind: "token_reuse", userId, ipAddress: "192.0.2.1" });
    await raiseOf(anybody);
    await until(async () => (await readMails()).length === 1);
    await raiseOf(owner);
    await until(async () => (await readMails()).length === 2);
    for (let index = 0; index < 3; index++) await raiseOf(anybody);
    // An account that is gone afterwards makes no room for another mail.
    expect((await call("DELETE", `/api/users/${anybody.userId}/`)).statusCode).toBe(204);
    await raiseOf(await addPerson());
    const texts = (await readMails()).map(({ vars }) => vars.text);
    expect(texts).toEqual([expect.stringContaining(anybody.username), expect.stringContaining("owner")]);
    // Nor on the console's notice, where the owner's stands first.
    const { count, newest, up_to } = (await call("GET", "/api/admin/alerts/")).json();
    expect([count, newest.text.includes("owner")]).toEqual([6, true]);
    // All that are counted there can be marked at once, also those that came later than the one that is shown.
    const { rows } = await site.database.pool.query("SELECT max(id) AS newest FROM audit_alert");
    expect(up_to).toBe(rows[0].newest);
    // And of their own accounts there is still one an hour.
    clock.now += HOUR_MS + 1000;
    site.feed.announce("audit.alert");
    await until(async () => (await readMails()).length === 3);
    expect((await readMails())[2]?.vars).toMatchObject({ more: "3" });
  });

  test("to an owner whose address is stopped wait, and the console says so", async () => {
    await site.database.pool.query(
      `INSERT INTO mail_suppression (address, scope, reason, source) VALUES ($1, 'all', 'x', 'admin')`,
      [owner.email],
    );
    await raise();
    const answer = (await call("GET", "/api/admin/alerts/")).json();
    expect(answer).toMatchObject({ count: 1, unreachable: [owner.email], is_mail_off: true });
    expect(await readMails()).toEqual([]);
    await site.database.pool.query("DELETE FROM mail_suppression");
    await raise();
    await until(async () => (await readMails()).length === 1);
  });
});

describe("the notice", () => {
  test("names the newest alert in the reader's language and where it is shown, until a superuser has seen it", async () => {
    const empty = { count: 0, newest: null, up_to: 0, unreachable: [], is_mail_off: true };
    expect((await call("GET", "/api/admin/alerts/")).json()).toEqual(empty);
    await raise("first_export");
    await raise();
    const first = (await call("GET", "/api/admin/alerts/")).json();
    expect(first).toMatchObject({
      count: 2,
      newest: {
        kind: "token_reuse",
        title: "A session may have been stolen",
        path: `/admin/actions?filter=detail:exact:token_reuse&filter=user:exact:${staff.userId}`,
      },
    });
    expect(first.newest.text).toContain("of staff was used a second time");
    await raise("first_export");
    const after = (await call("POST", "/api/admin/alerts/seen/", { up_to: first.newest.id })).json();
    expect(after).toMatchObject({ count: 1, newest: { kind: "first_export" } });
    const rows = (await call("GET", objects("audit.alert"))).json().objects;
    // A record is called what people call its kind.
    expect(rows.map(({ repr }: { repr: string }) => repr)).toEqual([
      "Personal data exported",
      "Session perhaps stolen",
      "Personal data exported",
    ]);
    expect(rows.map((row: { seen_by: object | null }) => row.seen_by)).toMatchObject([
      null,
      { repr: expect.stringContaining("owner") },
      { repr: expect.stringContaining("owner") },
    ]);
  });

  test.each([
    ["GET", "/api/admin/alerts/"],
    ["POST", "/api/admin/alerts/seen/"],
  ] as const)("%s %s is for superusers", async (method, url) => {
    await raise();
    const payload = method === "POST" ? { up_to: 2_000_000_000 } : undefined;
    expect((await site.app.inject({ method, url, ...(payload && { payload }) })).statusCode).toBe(401);
    for (const person of [staff, await addPerson(1), await addPerson(998)])
      expect((await call(method, url, payload, person)).statusCode).toBe(403);
    expect((await call("GET", "/api/admin/alerts/")).json()).toMatchObject({ count: 1 });
  });

  test.each([0, -1, 1.5, 2_147_483_648, "1", null])("%p is no alert's number", async (up_to) => {
    const answer = await call("POST", "/api/admin/alerts/seen/", { up_to });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([{ field: "up_to" }]);
  });

  test("neither alerts nor their settings are a model of people below", async () => {
    const seen = (await call("GET", "/api/admin/models/", undefined, await addPerson(998))).json().models;
    const names = seen.map(({ app_label, model_name }: ModelInfo) => `${app_label}.${model_name}`);
    expect(names).toContain("audit.entry");
    expect(names.filter((name: string) => name.startsWith("audit.alert"))).toEqual([]);
    expect((await call("GET", objects("audit.alert"), undefined, staff)).statusCode).toBe(404);
    const patch = await call("PATCH", `${objects("audit.alert_rules")}1/`, { token_reuse: false }, staff);
    expect(patch.statusCode).toBe(404);
  });

  test("switching a kind off asks who it is, where the log-in is not recent", async () => {
    const person = await addPerson(999);
    clock.now += 11 * 60_000;
    const patch = await call("PATCH", `${objects("audit.alert_rules")}1/`, { token_reuse: false }, person);
    expect([patch.statusCode, patch.json().code]).toEqual([403, "step_up_required"]);
    await site.database.pool.query("DELETE FROM account_user WHERE id = $1", [person.userId]);
  });
});

test("failed log-ins to an account that is gone since aren't called those of the whole site", async () => {
  const { userId } = await addPerson();
  await raiseAlert(site.database.pool, { kind: "failed_log_ins", userId, count: 20 });
  expect((await call("DELETE", `/api/users/${userId}/`)).statusCode).toBe(204);
  const { newest } = (await call("GET", "/api/admin/alerts/")).json();
  expect(newest.text).toMatch(/^Within an hour 20 log-ins to the account a deleted account failed/);
});

test("an alert forgets a person who deletes their account, and goes after 90 days", async () => {
  const person = await addPerson();
  await raiseAlert(site.database.pool, {
    kind: "token_reuse",
    userId: person.userId,
    ipAddress: "192.0.2.1",
  });
  const erased = await call("DELETE", `/api/users/${person.userId}/`);
  expect(erased.statusCode).toBe(204);
  expect(await readAlerts()).toMatchObject([{ kind: "token_reuse", person: null, ip_address: null }]);
  const { newest } = (await call("GET", "/api/admin/alerts/")).json();
  expect(newest.text).toContain("of a deleted account was used");
  const now = Date.now();
  await deleteOldAlerts(site.database.pool, new Date(now + 89 * DAY_MS));
  expect((await readAlerts()).length).toBe(1);
  await deleteOldAlerts(site.database.pool, new Date(now + 91 * DAY_MS));
  expect(await readAlerts()).toEqual([]);
});
