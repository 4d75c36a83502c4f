import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { mailSourcesAnswer } from "#contract/mail/sources.ts";
import { createTestApp } from "#test/app.ts";
import { until } from "#test/until.ts";
import { markFailed, markSent } from "../outbox/lease-store.ts";
import { selectOutboxState } from "../outbox/store.ts";
import type { ReportedEvent } from "./report-source.ts";
import { openTestSources, type TestSources, TWO_WAYS, toReturningAddress } from "./test-sources.ts";

let sources: TestSources;
beforeAll(async () => {
  sources = await openTestSources();
});
afterAll(() => sources.close());
beforeEach(() => sources.empty());

async function readTestMail() {
  const { rows } = await sources.pool.query<{ id: number; report_token: string; recipient: string }>(
    "SELECT id, report_token, recipient, delivery_state, handed_over_at FROM mail_message ORDER BY id DESC LIMIT 1",
  );
  const [mail] = rows;
  if (!mail) throw new Error("no mail was queued");
  return mail;
}

async function handOver(): Promise<Awaited<ReturnType<typeof readTestMail>>> {
  const mail = await readTestMail();
  const result = { id: mail.id, attempts: 1, response: "250 Ok", now: new Date(sources.clock.now) };
  await markSent(sources.pool, result, undefined);
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
/** Moves mails into the past: with the clock moved on instead, nobody would be signed in. */
const age = (minutes: number) =>
  sources.pool.query("UPDATE mail_message SET created_at = created_at - $1 * interval '1 minute'", [minutes]);

const beginTest = (target = "own", language = "en") =>
  sources.ask("POST", "sources/test/", { target }, sources.staff, language);

test("a mail that is to come back goes to an address that nobody has, or to the provider's own, and is in the log", async () => {
  const { targets, test: none } = await sources.read();
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
  const { rows } = await sources.pool.query(
    "SELECT username, action_type, detail, object_id, object_repr FROM audit_entry",
  );
  expect(rows).toEqual([
    {
      username: sources.staff.username,
      action_type: "CREATE",
      detail: "return_test",
      object_id: String(mail.id),
      object_repr: mail.recipient,
    },
  ]);
});

test("a mail that is to come back waits after its hand-over, and says who reported it after how long", async () => {
  await beginTest();
  const mail = await handOver();
  expect((await sources.read()).test).toMatchObject({ state: "waiting", response: "250 Ok" });
  const reported = { ...toBounce(mail), kind: "sent" as const, key: "taken" };
  await sources.post("ses", { events: [reported] });
  await until(sources.isRead);
  expect((await sources.read()).test).toMatchObject({ state: "waiting", source: null });
  sources.clock.now += 7_000;
  await sources.post("ses", { events: [toBounce(mail)] });
  await until(sources.isRead);
  expect((await sources.read()).test).toMatchObject({ state: "reported", source: "ses", took_seconds: 7 });
});

test("a mail that is to come back and is refused at its hand-over says nothing of the ways in, and condemns nobody", async () => {
  await beginTest();
  const { id, recipient } = await readTestMail();
  const { pool } = sources;
  await pool.query("UPDATE mail_message SET status = 'sending', attempts = 1");
  const result = { id, attempts: 1, response: "550 5.1.1 unknown", now: new Date(sources.clock.now) };
  await markFailed(pool, result, { kind: "bounced", statusCode: "5.1.1", bounceSubtype: "NoEmail" });
  expect((await sources.read()).test).toMatchObject({ state: "refused", response: "550 5.1.1 unknown" });
  // Another report makes the reader look, which settles refused addresses first.
  await sources.post("signed", { events: [] });
  await until(sources.isRead);
  for (const table of ["mail_bounce", "mail_suppression"])
    expect([table, (await pool.query(`SELECT * FROM ${table}`)).rows]).toEqual([table, []]);
  expect(await selectOutboxState(pool, new Date(sources.clock.now))).toMatchObject({ failed: 0 });
  expect(recipient).toContain("no-mailbox-");
});

test("a mail that is to come back to a suppressed address is not sent, and says so in words", async () => {
  await beginTest("simulator");
  await sources.pool.query("UPDATE mail_message SET status = 'suppressed'");
  expect((await sources.read(sources.staff, "tr")).test).toMatchObject({
    state: "refused",
    response: expect.stringContaining("deneme gönderilmedi"),
  });
});

test("a mail that is to come back changes no figures and stops nobody: what is recorded is its event", async () => {
  const figures = async () => {
    const paths = ["stats/?days=7", "stats/series/?days=7", "dashboard/", "bounces/", "complaints/"];
    const answers = await Promise.all(paths.map((path) => sources.ask("GET", path)));
    return answers.map((answer) => answer.json());
  };
  const before = await figures();
  for (const kind of ["bounced", "complained", "delivered"] as const) {
    await beginTest();
    const mail = await handOver();
    const complaint = { feedbackType: "abuse", userAgent: null, candidates: 1 };
    await sources.post("ses", { events: [{ ...toBounce(mail), kind, complaint }] });
    await until(sources.isRead);
  }
  expect((await sources.read()).test).toMatchObject({ state: "reported", source: "ses" });
  expect(await figures()).toEqual(before);
  const { pool } = sources;
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
])(
  "a mail that is to come back is alone, and of two that come together one is refused (%s)",
  async (language, message) => {
    const answers = await Promise.all([beginTest("own", language), beginTest("simulator", language)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json()).toMatchObject({ code: "return_test_under_way", message });
    await age(10);
    expect((await beginTest()).statusCode).toBe(200);
  },
);

test("a mail that is to come back is sent six times an hour at most", async () => {
  for (let count = 0; count < 6; count++) {
    expect((await beginTest()).statusCode).toBe(200);
    const mail = await handOver();
    await sources.post("signed", { events: [toBounce(mail)] });
    await until(sources.isRead);
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
  ["mails are files", TWO_WAYS, []],
  ["nothing is reported", { webhooks: [], takesReturnedMail: false, toReturningAddress }, []],
  ["Amazon is not set up", { webhooks: [], takesReturnedMail: true, toReturningAddress }, ["own"]],
])("a mail that is to come back is not offered where %s", async (_why, mailWays, names) => {
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
