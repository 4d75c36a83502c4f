import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { parseConfig } from "#server/config.ts";
import { openKeyPlace } from "#server/db/keys/open-keys.ts";
import { sendDue } from "#server/mail/outbox/test-outbox.ts";
import { openMailDeps } from "#server/open-mail.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { until } from "#test/until.ts";
import { readKeyDate, rotateKeys } from "./keys.ts";

/** Two processes on one database, each with a data folder of its own. */
const KEYS_SECRET = "a-secret-of-at-least-32-characters";
let database: TestDatabase;
let one: TestApp;
let two: TestApp;
let person: TestPerson;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { database: { ...database, close: async () => undefined }, keysSecret: KEYS_SECRET };
  one = await createTestApp(options);
  two = await createTestApp(options);
  person = await one.signInAs(1);
});
afterAll(async () => {
  await one.close();
  await two.close();
  await database.close();
});

const post = (site: TestApp, url: string, payload: object, headers: Record<string, string> = {}) =>
  site.app.inject({ method: "POST", url, payload, headers });
const getMe = (site: TestApp, authorization: string) =>
  site.app.inject({ url: "/api/users/me/", headers: { authorization } });

test("a log-in at one process is good at the other, and can be renewed there", async () => {
  expect(one.dataDir).not.toBe(two.dataDir);
  expect((await getMe(two, person.authorization)).statusCode).toBe(200);
  const renewed = await post(two, "/api/users/refresh/", { refresh: person.refreshToken });
  expect(renewed.statusCode).toBe(200);
  expect((await getMe(one, `Bearer ${renewed.json().access}`)).statusCode).toBe(200);
});

test("a code that was asked for at one process can be mailed by the other, and typed there", async () => {
  const email = { email: person.email };
  expect((await post(one, "/api/users/password/forgot/", email)).statusCode).toBe(200);
  await until(async () => (await database.pool.query("SELECT FROM mail_message")).rowCount === 1);
  const config = { ...parseConfig({}), keysSecret: KEYS_SECRET, dataDir: two.dataDir };
  const { worker } = await openMailDeps({
    config,
    pool: database.pool,
    log: pino({ level: "silent" }),
    now: () => new Date(),
    getOrigin: () => "https://site.test",
  });
  await sendDue(worker);
  const [file = ""] = await readdir(join(two.dataDir, "mail"));
  const code = /^Subject: .*?(\d{6})/m.exec(await readFile(join(two.dataDir, "mail", file), "utf8"))?.[1];
  const password = "Violet-kettle-4821-moss";
  const reset = { ...email, otp_code: code, password, password_confirm: password };
  expect((await post(two, "/api/users/password/reset/", reset)).statusCode).toBe(200);
});

test("a challenge of one is answered at the other: it is read there as its own", async () => {
  const challenge = (await one.app.inject({ url: "/api/contact/challenge/" })).json().challenge as string;
  const message = {
    name: "Ada",
    email: "ada@example.org",
    subject: "Hello",
    message: "A long enough message.",
  };
  const answer = await post(two, "/api/contact/", { ...message, challenge, solution: "1" });
  // Known for one's own, and not solved.
  expect(answer.json()).toMatchObject({ code: "contact_challenge_unsolved" });
});

test("owners hear of a rotation while the processes run, and the log-in from before it is good", async () => {
  const settings = { dataDir: one.dataDir, keysSecret: KEYS_SECRET };
  const place = await openKeyPlace(database.pool, settings, { warn: () => undefined });
  const { authorization } = await one.signInAs(2);
  const now = new Date("2026-05-01T10:00:00Z");
  await rotateKeys(place, now);
  expect(await readKeyDate(place)).toEqual(now);
  await until(async () => {
    const { rows } = await database.pool.query("SELECT about FROM audit_alert WHERE kind = 'keys_changed'");
    return rows.length > 0;
  });
  expect((await getMe(two, authorization)).statusCode).toBe(200);
});
