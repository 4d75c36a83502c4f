import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { mailDashboardAnswer } from "#contract/mail-stats.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";

let site: TestApp;
let staff: TestPerson;
beforeAll(async () => {
  site = await createTestApp();
  staff = await site.signInAs(10);
  await site.database.pool.query("DELETE FROM mail_message");
});
afterAll(() => site.close());

const insertMail = (state: string, response: string | null) =>
  site.database.pool.query(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, status,
       delivery_state, response)
     SELECT key, key, key, 'test', 'ada@foyer.example', 'ada@foyer.example', 'en', '{}', 'failed', $1, $2
     FROM (SELECT gen_random_uuid()::text AS key) AS random`,
    [state, response],
  );

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
