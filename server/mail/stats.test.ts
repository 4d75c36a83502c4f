import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { mailDashboardAnswer } from "#contract/mail/statistics.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { createMailStatistics } from "./stats.ts";

let site: TestApp;
let staff: TestPerson;
beforeAll(async () => {
  site = await createTestApp();
  staff = await site.signInAs(10);
});
afterAll(() => site.close());
beforeEach(() => site.database.pool.query("DELETE FROM mail_message"));

const insertMail = (state: string, response: string | null) =>
  site.database.pool.query<{ id: number }>(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, status,
       delivery_state, response)
     SELECT key, key, key, 'test', 'ada@foyer.example', 'ada@foyer.example', 'en', '{}', 'failed', $1, $2
     FROM (SELECT gen_random_uuid()::text AS key) AS random RETURNING id`,
    [state, response],
  );
const createStatistics = (sources: readonly string[], hasFeedbackAddress: boolean) =>
  createMailStatistics({ db: site.database.pool, sources, hasFeedbackAddress, now: () => new Date() });

test("the latest mails say in the reader's language why they failed, where no server said it", async () => {
  await insertMail("suppressed", null);
  await insertMail("rejected", "554 No.");
  const read = async (language: string) => {
    const answer = await site.app.inject({
      url: "/api/mail/dashboard/",
      headers: { authorization: staff.authorization, "accept-language": language },
    });
    const { deliveries } = mailDashboardAnswer.parse(answer.json()).recent_activity;
    return deliveries.map(({ status, failure_reason }) => [status, failure_reason]);
  };
  expect(await read("tr")).toEqual([
    ["failed", "554 No."],
    ["failed", "Engellendi"],
  ]);
  expect((await read("en"))[1]).toEqual(["failed", "Suppressed"]);
});

/** A mail of noon that was handed over a minute later, with what became of it. */
async function insertChanged(
  state: string,
  more: { bouncedAt?: string; complainedAt?: string; event?: string },
) {
  const { pool } = site.database;
  const { rows } = await insertMail(state, null);
  const id = rows[0]?.id;
  await pool.query(
    `UPDATE mail_message SET created_at = '2026-05-01T12:00Z', updated_at = '2026-05-09T12:00Z',
       sent_at = '2026-05-01T12:01Z', delivered_at = CASE $2 WHEN 'delivered' THEN '2026-05-01T12:02Z'::timestamptz END
     WHERE id = $1`,
    [id, state],
  );
  if (more.bouncedAt)
    await pool.query(
      `INSERT INTO mail_bounce (message_id, email_address, mail_kind, source, verdict, bounce_type, bounce_subtype, bounced_at)
       VALUES ($1, 'ada@foyer.example', 'test', 'ses', 'all', 'Permanent', 'NoEmail', $2)`,
      [id, more.bouncedAt],
    );
  if (more.complainedAt)
    await pool.query(
      `INSERT INTO mail_complaint (message_id, email_address, mail_kind, source, verdict, feedback_type, complained_at)
       VALUES ($1, 'ada@foyer.example', 'test', 'ses', 'optional', 'abuse', $2)`,
      [id, more.complainedAt],
    );
  if (more.event)
    await pool.query(
      `INSERT INTO mail_event (message_id, kind, source, event_key, recipient, recipient_key, created_at, parser_version)
       VALUES ($1, $2, 'outbox', 'event', '', '', $3, 0)`,
      [id, state, more.event],
    );
}

test.each([
  ["pending", {}, "2026-05-01T12:00:00.000Z"],
  ["sent", {}, "2026-05-01T12:01:00.000Z"],
  ["delivered", {}, "2026-05-01T12:02:00.000Z"],
  ["bounced", { bouncedAt: "2026-05-02T12:00Z" }, "2026-05-02T12:00:00.000Z"],
  [
    "complained",
    { bouncedAt: "2026-05-02T12:00Z", complainedAt: "2026-05-03T12:00Z" },
    "2026-05-03T12:00:00.000Z",
  ],
  ["failed", { event: "2026-05-05T12:00Z" }, "2026-05-05T12:00:00.000Z"],
  ["rejected", { event: "2026-05-01T12:03Z" }, "2026-05-01T12:03:00.000Z"],
  ["expired", {}, "2026-05-09T12:00:00.000Z"],
])("a mail's last change is when it became %s, not when it was sent", async (state, more, at) => {
  await insertChanged(state, more);
  const { recent_activity } = await createStatistics([], false).getDashboard("en");
  expect(recent_activity.deliveries.map(({ timestamp }) => timestamp)).toEqual([at]);
});

test.each<[string, string[], boolean, unknown]>([
  ["nobody", [], true, { total_complained: null, bounce_rate: null, complaint_rate: null }],
  ["returned mail", ["returned"], false, { total_complained: null, bounce_rate: 0, complaint_rate: null }],
  [
    "returned mail with complaints",
    ["returned"],
    true,
    { total_complained: 0, bounce_rate: 0, complaint_rate: 0 },
  ],
  ["a provider", ["postmark"], false, { total_complained: 0, bounce_rate: 0, complaint_rate: 0 }],
])(
  "no complaint is a count only where somebody reports them: %s",
  async (_who, sources, hasAddress, expected) => {
    await insertMail("delivered", null);
    await site.database.pool.query("UPDATE mail_message SET handed_over_at = now()");
    expect(await createStatistics(sources, hasAddress).getStats(7)).toMatchObject({
      total_sent: 1,
      ...(expected as object),
    });
  },
);

test("a complaint that is known counts, whoever reports, and makes no rate of all", async () => {
  await insertMail("complained", null);
  await site.database.pool.query("UPDATE mail_message SET handed_over_at = now()");
  const stats = await createStatistics(["returned"], false).getStats(7);
  expect(stats).toMatchObject({ total_complained: 1, complaint_rate: null });
});

test("the period's mails are exported a row each, with what became of them and nothing that is secret", async () => {
  await insertMail("bounced", "550 No.");
  await site.database.pool.query(
    "UPDATE mail_message SET created_at = '2026-01-01T00:00Z', handed_over_at = '2026-05-01T12:00Z', vars = '{\"code\": \"4711\"}'",
  );
  await insertMail("failed", null);
  const { rows } = await site.database.pool.query<{ id: number }>(
    "SELECT id FROM content_type WHERE app_label = 'mail' AND model_name = 'message'",
  );
  const since = (field: string) => ({ field, operator: "gte", value: "2026-05-01T00:00:00.000Z" });
  const read = async (query: Record<string, string>) => {
    const answer = await site.app.inject({
      url: `/api/admin/models/${rows[0]?.id}/objects/export/`,
      query: { ...query, where: JSON.stringify({ or: [since("created_at"), since("handed_over_at")] }) },
      headers: { authorization: staff.authorization },
    });
    return answer.body;
  };
  const columns = "handed_over_at,recipient,delivery_state,response";
  expect((await read({ format: "csv", columns })).trimEnd().split("\n")).toEqual([
    "handed_over_at,recipient,delivery_state,response",
    ",ada@foyer.example,failed,",
    "2026-05-01T12:00:00Z,ada@foyer.example,bounced,550 No.",
  ]);
  expect(await read({ format: "json" })).not.toContain("4711");
});
