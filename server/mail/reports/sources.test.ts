import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { mailSourcesAnswer } from "#contract/mail/sources.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { withRollback } from "#server/db/transaction.ts";
import { until } from "#test/until.ts";
import { countUnread } from "./report-store.ts";
import { createMailSources } from "./sources.ts";
import { openTestSources, type TestSources, toReturningAddress } from "./test-sources.ts";

let sources: TestSources;
beforeAll(async () => {
  sources = await openTestSources();
});
afterAll(() => sources.close());
beforeEach(() => sources.empty());

const readSource = async (name: string, person = sources.staff) =>
  (await sources.read(person)).sources.find((source) => source.name === name);

test("there is an entry for each, with where a provider posts and what it can report", async () => {
  const answer = await sources.read();
  expect(answer.sources.map(({ name, is_set_up, webhook_url }) => [name, is_set_up, webhook_url])).toEqual([
    ["outbox", true, null],
    ["ses", true, "https://site.test/api/mail/webhooks/ses/"],
    ["postmark", false, "https://site.test/api/mail/webhooks/postmark/"],
    ["mailgun", false, "https://site.test/api/mail/webhooks/mailgun/"],
    ["signed", true, "https://site.test/api/mail/webhooks/signed/"],
    ["returned", false, null],
  ]);
  expect(answer.sources.filter(({ tells_deliveries }) => tells_deliveries).map(({ name }) => name)).toEqual([
    "ses",
    "postmark",
    "mailgun",
    "signed",
  ]);
});

test.each([
  [true, ["outbox", false], ["returned", true]],
  [false, ["outbox", false], ["returned", false]],
])(
  "returned mail reports complaints where providers have an address for them: %s",
  async (has, ...expected) => {
    const { pool, owner } = sources;
    const { get } = createMailSources({
      pool,
      mail: { queue: async () => undefined },
      names: ["returned"],
      hasFeedbackAddress: has,
      toReturningAddress,
      getContentTypeId: () => null,
      now: () => new Date(sources.clock.now),
    });
    const actor = { ...SYSTEM_ACTOR, ...owner, sessionId: "" };
    const answer = await get({ actor, lang: "en", origin: "https://site.test" });
    const reported = answer.sources.filter(({ is_set_up }) => is_set_up);
    expect(reported.map(({ name, tells_complaints }) => [name, tells_complaints])).toEqual(expected);
  },
);

test("the last event is that of its source alone; our own is a hand-over, and a superseded one is none", async () => {
  const at = (hours: number) => new Date(Date.UTC(2026, 0, 1, hours)).toISOString();
  await sources.pool.query(
    `INSERT INTO mail_event (created_at, kind, source, event_key, recipient, recipient_key, parser_version, superseded_at)
     VALUES ($1, 'bounced', 'ses', 'a', '', '', 1, NULL), ($2, 'bounced', 'ses', 'b', '', '', 1, $2),
       ($1, 'sent', 'outbox', 'c', '', '', 0, NULL), ($2, 'queued', 'outbox', 'd', '', '', 0, NULL)`,
    [at(1), at(2)],
  );
  const reported = (await sources.read()).sources.map(({ name, last_event_at }) => [name, last_event_at]);
  expect(reported.filter(([, moment]) => moment !== null)).toEqual([
    ["outbox", at(1)],
    ["ses", at(1)],
  ]);
});

test("the last refusal is there with its reason", async () => {
  expect((await sources.post("signed", { refuse: true })).statusCode).toBe(403);
  expect(await readSource("signed")).toMatchObject({
    refusal: "No secret of the site gives this signature.",
    refused_at: new Date(sources.clock.now).toISOString(),
  });
  const inTurkish = (await sources.read(sources.staff, "tr")).sources.find(({ name }) => name === "signed");
  expect(inTurkish?.refusal).toBe("Bu imza sitenin hiçbir gizli anahtarıyla oluşmuyor.");
  expect(await readSource("ses")).toMatchObject({ refusal: null, refused_at: null });
});

test("a link that waits to be opened is a superuser's, who says when it is; the log has it", async () => {
  const url = "https://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription";
  await sources.post("ses", { confirm: url });
  const asked = { topic: "arn:t", asked_at: new Date(sources.clock.now).toISOString() };
  expect(await readSource("ses")).toMatchObject({ confirmation: { ...asked, url: null } });
  expect(await readSource("ses", sources.owner)).toMatchObject({ confirmation: { ...asked, url } });
  expect((await sources.ask("POST", "sources/confirmed/", { name: "ses" })).statusCode).toBe(403);
  for (const _ of ["once", "twice"]) {
    const answer = await sources.ask("POST", "sources/confirmed/", { name: "ses" }, sources.owner);
    expect(mailSourcesAnswer.parse(answer.json()).sources[1]).toMatchObject({ confirmation: null });
  }
  const { rows } = await sources.pool.query("SELECT username, detail, object_repr FROM audit_entry");
  expect(rows).toEqual([{ username: sources.owner.username, detail: "mail_confirmed", object_repr: "ses" }]);
});

test("reports that can't be read are counted, and a superuser is shown the first", async () => {
  for (const key of [1, 2]) await sources.post("ses", { key });
  await until(sources.isRead);
  const { rows } = await sources.pool.query("SELECT min(id) AS id FROM mail_report");
  expect(await readSource("ses")).toMatchObject({ unreadable: 2, first_unreadable_id: null });
  expect(await readSource("ses", sources.owner)).toMatchObject({
    unreadable: 2,
    first_unreadable_id: rows[0].id,
  });
  expect(await readSource("signed", sources.owner)).toMatchObject({
    unreadable: 0,
    first_unreadable_id: null,
  });
});

test("reports that wait to be read are counted", async () => {
  await sources.post("ses", { key: 1 });
  await until(sources.isRead);
  expect((await sources.read()).unread).toBe(0);
  const counted = await withRollback(sources.pool, async (db) => {
    // Seen by nobody else: a reader would read it.
    await db.query("UPDATE mail_report SET state = 'new'");
    return countUnread(db);
  });
  expect(counted).toBe(1);
});

test("who may not open the console sees and does nothing", async () => {
  const visitor = await sources.site.signInAs(9);
  expect((await sources.ask("GET", "sources/", undefined, visitor)).statusCode).toBe(403);
  expect((await sources.ask("POST", "sources/test/", { target: "own" }, visitor)).statusCode).toBe(403);
  expect((await sources.ask("POST", "sources/confirmed/", { name: "ses" }, visitor)).statusCode).toBe(403);
  expect((await sources.site.app.inject({ url: "/api/mail/sources/" })).statusCode).toBe(401);
});
