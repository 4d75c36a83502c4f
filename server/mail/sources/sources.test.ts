import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { mailSourcesAnswer } from "#contract/mail-sources.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { until } from "#test/until.ts";
import { markFailed, markSent } from "../outbox/claim-store.ts";
import { selectOutboxState } from "../outbox/store.ts";
import { ReportRefusedError, type ReportSource } from "../reports/report-source.ts";
import type { ReportedEvent } from "../reports/reported-event.ts";

/** Moves mails into the past: with the clock moved on instead, nobody would be signed in. */
const age = (minutes: number) =>
  site.database.pool.query("UPDATE mail_message SET created_at = created_at - $1 * interval '1 minute'", [
    minutes,
  ]);

/** Takes its events as they are; one that holds none can't be read. */
const toSource = (name: string): ReportSource => ({
  name,
  async verify(raw) {
    const body = JSON.parse(raw.toString());
    if (body.refuse) throw new ReportRefusedError(403, "No secret of the site gives this signature.");
    if (body.confirm) return { key: "c", content: null, confirmation: { url: body.confirm, topic: "arn:t" } };
    return { key: JSON.stringify(body).slice(0, 200), content: body.events ?? {} };
  },
  read(content) {
    if (!Array.isArray(content)) throw new Error("It is not an event.");
    return content as ReportedEvent[]; // the tests write them
  },
});

const toAddress = (name: string) => `${name}@bounces.example`;
const clock = { now: Date.now() };
const SES = { webhooks: [toSource("ses"), toSource("signed")], takesReturnedMail: false };
let site: TestApp;
let staff: TestPerson;
let owner: TestPerson;
let visitor: TestPerson;
beforeAll(async () => {
  site = await createTestApp({
    mailWays: { ...SES, toReturningAddress: toAddress },
    now: () => new Date(clock.now),
  });
  staff = await site.signInAs(10);
  owner = await site.signInAs(999);
  visitor = await site.signInAs(9);
  await site.listen();
});
afterAll(() => site.close());
beforeEach(async () => {
  // Refusals are written down once a second at most.
  clock.now += 1_000;
  await site.database.pool.query(
    "DELETE FROM mail_message; DELETE FROM mail_event; DELETE FROM mail_report; DELETE FROM mail_source; DELETE FROM audit_entry",
  );
});

const ask = (method: "GET" | "POST", path: string, payload?: object, person = staff, language = "en") =>
  site.app.inject({
    method,
    url: `/api/mail/${path}`,
    headers: { authorization: person.authorization, "accept-language": language },
    ...(payload && { payload }),
  });
const read = async (person = staff, language = "en") =>
  mailSourcesAnswer.parse((await ask("GET", "sources/", undefined, person, language)).json());
const readSource = async (name: string, person = staff) =>
  (await read(person)).sources.find((source) => source.name === name);
const beginTest = (target = "own", language = "en") =>
  ask("POST", "sources/test/", { target }, staff, language);
const post = (name: string, body: object) =>
  site.app.inject({
    method: "POST",
    url: `/api/mail/webhooks/${name}/`,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify(body),
  });

async function readTestMail() {
  const { rows } = await site.database.pool.query<{ id: number; report_token: string; recipient: string }>(
    "SELECT id, report_token, recipient, delivery_state, handed_over_at FROM mail_message ORDER BY id DESC LIMIT 1",
  );
  const [mail] = rows;
  if (!mail) throw new Error("no mail was queued");
  return mail;
}

async function handOver(): Promise<Awaited<ReturnType<typeof readTestMail>>> {
  const mail = await readTestMail();
  const result = { id: mail.id, attempts: 1, response: "250 Ok", now: new Date(clock.now) };
  await markSent(site.database.pool, result, undefined);
  return mail;
}

const toBounce = (mail: { report_token: string; recipient: string }): ReportedEvent => ({
  kind: "bounced",
  key: `bounce of ${mail.report_token}`,
  occurredAt: null,
  recipient: mail.recipient,
  mail: { reportToken: mail.report_token },
  bounce: { type: "Permanent", subtype: "NoEmail" },
  statusCode: "5.1.1",
});
const isRead = async () =>
  (await site.database.pool.query("SELECT FROM mail_report WHERE state = 'new'")).rowCount === 0;

describe("the ways in", () => {
  test("there is an entry for each, with where a provider posts and what it can tell", async () => {
    const { sources } = await read();
    expect(sources.map(({ name, is_set_up, webhook_url }) => [name, is_set_up, webhook_url])).toEqual([
      ["outbox", true, null],
      ["ses", true, "https://site.test/api/mail/webhooks/ses/"],
      ["postmark", false, "https://site.test/api/mail/webhooks/postmark/"],
      ["mailgun", false, "https://site.test/api/mail/webhooks/mailgun/"],
      ["signed", true, "https://site.test/api/mail/webhooks/signed/"],
      ["returned", false, null],
    ]);
    expect(sources.filter(({ tells_deliveries }) => tells_deliveries).map(({ name }) => name)).toEqual([
      "ses",
      "postmark",
      "mailgun",
      "signed",
    ]);
  });

  test("the last event is that of its source alone; our own is a hand-over, and a superseded one is none", async () => {
    const at = (hours: number) => new Date(Date.UTC(2026, 0, 1, hours)).toISOString();
    await site.database.pool.query(
      `INSERT INTO mail_event (created_at, kind, source, event_key, recipient, recipient_key, parser_version, superseded_at)
       VALUES ($1, 'bounced', 'ses', 'a', '', '', 1, NULL), ($2, 'bounced', 'ses', 'b', '', '', 1, $2),
         ($1, 'sent', 'outbox', 'c', '', '', 0, NULL), ($2, 'queued', 'outbox', 'd', '', '', 0, NULL)`,
      [at(1), at(2)],
    );
    const told = (await read()).sources.map(({ name, last_event_at }) => [name, last_event_at]);
    expect(told.filter(([, moment]) => moment !== null)).toEqual([
      ["outbox", at(1)],
      ["ses", at(1)],
    ]);
  });

  test("the last refusal is there with its reason", async () => {
    expect((await post("signed", { refuse: true })).statusCode).toBe(403);
    expect(await readSource("signed")).toMatchObject({
      refusal: "No secret of the site gives this signature.",
      refused_at: new Date(clock.now).toISOString(),
    });
    expect(await readSource("ses")).toMatchObject({ refusal: null, refused_at: null });
  });

  test("a link that waits to be opened is a superuser's, who says when it is; the log has it", async () => {
    const url = "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription";
    await post("ses", { confirm: url });
    const asked = { topic: "arn:t", asked_at: new Date(clock.now).toISOString() };
    expect(await readSource("ses")).toMatchObject({ confirmation: { ...asked, url: null } });
    expect(await readSource("ses", owner)).toMatchObject({ confirmation: { ...asked, url } });
    expect((await ask("POST", "sources/confirmed/", { name: "ses" })).statusCode).toBe(403);
    for (const _ of ["once", "twice"]) {
      const answer = await ask("POST", "sources/confirmed/", { name: "ses" }, owner);
      expect(mailSourcesAnswer.parse(answer.json()).sources[1]).toMatchObject({ confirmation: null });
    }
    const { rows } = await site.database.pool.query("SELECT username, detail, object_repr FROM audit_entry");
    expect(rows).toEqual([{ username: owner.username, detail: "mail_confirmed", object_repr: "ses" }]);
  });

  test("reports that can't be read are counted, and a superuser is told the first", async () => {
    for (const key of [1, 2]) await post("ses", { key });
    await until(isRead);
    const { rows } = await site.database.pool.query("SELECT min(id) AS id FROM mail_report");
    expect(await readSource("ses")).toMatchObject({ unreadable: 2, first_unreadable_id: null });
    expect(await readSource("ses", owner)).toMatchObject({ unreadable: 2, first_unreadable_id: rows[0].id });
    expect(await readSource("signed", owner)).toMatchObject({ unreadable: 0, first_unreadable_id: null });
  });

  test("who may not open the console sees and does nothing", async () => {
    expect((await ask("GET", "sources/", undefined, visitor)).statusCode).toBe(403);
    expect((await ask("POST", "sources/test/", { target: "own" }, visitor)).statusCode).toBe(403);
    expect((await ask("POST", "sources/confirmed/", { name: "ses" }, visitor)).statusCode).toBe(403);
    expect((await site.app.inject({ url: "/api/mail/sources/" })).statusCode).toBe(401);
  });
});

describe("a mail that is to come back", () => {
  test("goes to an address that nobody has, or to the provider's own, and is in the log", async () => {
    const { targets, test: none } = await read();
    expect(none).toBeNull();
    expect(targets).toEqual([
      { name: "own", email: expect.stringMatching(/^no-mailbox-[\da-f]{12}@bounces\.example$/) },
      { name: "simulator", email: "bounce@simulator.amazonses.com" },
    ]);
    const answer = mailSourcesAnswer.parse((await beginTest()).json());
    expect(answer.test).toMatchObject({
      email: targets[0]?.email,
      state: "queued",
      source: null,
      took_seconds: null,
      response: null,
    });
    expect(answer.targets[0]?.email).not.toBe(targets[0]?.email);
    const mail = await readTestMail();
    const { rows } = await site.database.pool.query(
      "SELECT username, action_type, detail, object_id, object_repr FROM audit_entry",
    );
    expect(rows).toEqual([
      {
        username: staff.username,
        action_type: "CREATE",
        detail: "return_test",
        object_id: String(mail.id),
        object_repr: mail.recipient,
      },
    ]);
  });

  test("waits after its hand-over, and says who reported it after how long", async () => {
    await beginTest();
    const mail = await handOver();
    expect((await read()).test).toMatchObject({ state: "waiting", response: "250 Ok" });
    const told = { ...toBounce(mail), kind: "sent" as const, key: "taken" };
    await post("ses", { events: [told] });
    await until(isRead);
    expect((await read()).test).toMatchObject({ state: "waiting", source: null });
    clock.now += 7_000;
    await post("ses", { events: [toBounce(mail)] });
    await until(isRead);
    expect((await read()).test).toMatchObject({ state: "reported", source: "ses", took_seconds: 7 });
  });

  test("that our own server takes not says nothing of the ways in, and condemns nobody", async () => {
    await beginTest();
    const { id, recipient } = await readTestMail();
    const { pool } = site.database;
    await pool.query("UPDATE mail_message SET status = 'sending', attempts = 1");
    const result = { id, attempts: 1, response: "550 5.1.1 unknown", now: new Date(clock.now) };
    await markFailed(pool, result, { kind: "bounced", statusCode: "5.1.1", bounceSubtype: "NoEmail" });
    expect((await read()).test).toMatchObject({ state: "refused", response: "550 5.1.1 unknown" });
    // Another report makes the reader look, which settles refused addresses first.
    await post("signed", { events: [] });
    await until(isRead);
    for (const table of ["mail_bounce", "mail_suppression"])
      expect([table, (await pool.query(`SELECT * FROM ${table}`)).rows]).toEqual([table, []]);
    expect(await selectOutboxState(pool, new Date(clock.now))).toMatchObject({ failed: 0 });
    expect(recipient).toContain("no-mailbox-");
  });

  test("to a suppressed address is not sent, and says so in words", async () => {
    await beginTest("simulator");
    await site.database.pool.query("UPDATE mail_message SET status = 'suppressed'");
    expect((await read(staff, "tr")).test).toMatchObject({
      state: "refused",
      response: expect.stringContaining("deneme gönderilmedi"),
    });
  });

  test("changes no figures and stops nobody: what is recorded is its event", async () => {
    const figures = async () => {
      const paths = ["stats/?days=7", "stats/series/?days=7", "dashboard/", "bounces/", "complaints/"];
      const answers = await Promise.all(paths.map((path) => ask("GET", path)));
      return answers.map((answer) => answer.json());
    };
    const before = await figures();
    for (const kind of ["bounced", "complained", "delivered"] as const) {
      await beginTest();
      const mail = await handOver();
      const complaint = { feedbackType: "abuse", userAgent: null, candidates: 1 };
      await post("ses", { events: [{ ...toBounce(mail), kind, complaint }] });
      await until(isRead);
    }
    expect((await read()).test).toMatchObject({ state: "reported", source: "ses" });
    expect(await figures()).toEqual(before);
    const { pool } = site.database;
    for (const table of ["mail_bounce", "mail_complaint", "mail_suppression"])
      expect([table, (await pool.query(`SELECT * FROM ${table}`)).rows]).toEqual([table, []]);
    const { rows } = await pool.query(
      "SELECT kind FROM mail_event WHERE source = 'ses' AND message_id IS NOT NULL ORDER BY id",
    );
    expect(rows.map(({ kind }) => kind)).toEqual(["bounced", "complained", "delivered"]);
  });

  test.each([
    ["en", "A test is under way. Please wait for its report, or try again in about 10 min."],
    ["tr", "Bir deneme sürüyor. Lütfen bildirimini bekleyin ya da yaklaşık 10 dk sonra yeniden deneyin."],
  ])("is alone, and of two that come together one is refused (%s)", async (language, message) => {
    const answers = await Promise.all([beginTest("own", language), beginTest("simulator", language)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json()).toMatchObject({ code: "return_test_under_way", message });
    await age(10);
    expect((await beginTest()).statusCode).toBe(200);
  });

  test("is sent six times an hour at most", async () => {
    for (let count = 0; count < 6; count++) {
      expect((await beginTest()).statusCode).toBe(200);
      const mail = await handOver();
      await post("signed", { events: [toBounce(mail)] });
      await until(isRead);
    }
    const refused = await beginTest("own", "tr");
    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toBe("3600");
    expect(refused.json().message).toBe(
      "Bir saat içinde 6 deneme yapıldı. Lütfen yaklaşık 60 dk sonra yeniden deneyin.",
    );
    await age(60);
    expect((await beginTest()).statusCode).toBe(200);
  });

  test.each([
    ["mails are files", SES, []],
    ["nothing is reported", { webhooks: [], takesReturnedMail: false, toReturningAddress: toAddress }, []],
    [
      "Amazon is not set up",
      { webhooks: [], takesReturnedMail: true, toReturningAddress: toAddress },
      ["own"],
    ],
  ])("is not offered where %s", async (_why, mailWays, names) => {
    const other = await createTestApp({ mailWays });
    const { authorization } = await other.signInAs(10);
    const headers = { authorization };
    const { targets } = (await other.app.inject({ url: "/api/mail/sources/", headers })).json();
    expect(targets.map(({ name }: { name: string }) => name)).toEqual(names);
    const answer = await other.app.inject({
      method: "POST",
      url: "/api/mail/sources/test/",
      headers,
      payload: { target: "simulator" },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toMatchObject([{ field: "target", code: "return_target_missing" }]);
    await other.close();
  });
});
