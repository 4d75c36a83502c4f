import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";

let site: TestApp;
let owner: TestPerson;
beforeAll(async () => {
  site = await createTestApp();
  owner = await site.signInAs(999);
  await site.database.pool.query(
    `WITH mail AS (
       INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars)
       VALUES ('t', 't', 't', 'contact_acknowledgement', 'ada@foyer.example', 'ada@foyer.example', 'en', '{}') RETURNING id)
     INSERT INTO mail_bounce (message_id, email_address, mail_kind, bounce_type, bounce_subtype, bounced_at, source, verdict)
     SELECT id, 'ada@foyer.example', 'contact_acknowledgement', 'Permanent', 'General', now(), 'ses', 'none' FROM mail`,
  );
});
afterAll(() => site.close());

/** PostgreSQL keeps neither: no NUL, no half of a pair; nor are its numbers without end. */
const UNSTORABLE = ["a\0b@foyer.example", "a\ud800b@foyer.example"];
const NUMBERS = [2_147_483_648, -2_147_483_649, Number.MAX_SAFE_INTEGER];
const stop = { addresses: ["ada@foyer.example"], scope: "all", reason: "x" };

const BODIES: [method: "POST" | "PATCH", path: string, body: object][] = [
  ...UNSTORABLE.flatMap((text): [method: "POST" | "PATCH", path: string, body: object][] => [
    ["POST", "suppressions/", { ...stop, reason: text }],
    ["POST", "suppressions/", { ...stop, addresses: [text] }],
    ["POST", "suppressions/import/", { text, scope: "all", reason: "x" }],
    ["POST", "suppressions/import/", { text: "ada@foyer.example", scope: "all", reason: text }],
    ["POST", "suppressions/lift/", { ids: [1], reason: text }],
    ["PATCH", "bounces/BOUNCE/", { note: text }],
  ]),
  ...NUMBERS.flatMap((id): [method: "POST" | "PATCH", path: string, body: object][] => [
    ["POST", "suppressions/lift/", { ids: [id], reason: "x" }],
    ["POST", "messages/resend/", { message_ids: [id] }],
    ["POST", "bounces/batch_process/", { bounce_ids: [id] }],
    ["POST", "complaints/batch_unsubscribe/", { complaint_ids: [id] }],
    ["PATCH", "bounces/BOUNCE/", { owner_id: id }],
  ]),
  ["POST", "suppressions/", { ...stop, expires_at: "9999-12-31T23:59:59+00:00" }],
  ["POST", "suppressions/", { ...stop, expires_at: "0000-01-01T00:00:00Z" }],
];

const ask = (method: "GET" | "POST" | "PATCH", path: string, payload?: object) =>
  site.app.inject({
    method,
    url: `/api/mail/${path}`,
    headers: { authorization: owner.authorization },
    ...(payload && { payload }),
  });

test.each(BODIES.map(([method, path, body]) => [method, path, JSON.stringify(body)]))(
  "%s %s %s is no fault of the server",
  async (method, path, body) => {
    const { rows } = await site.database.pool.query<{ id: number }>("SELECT id FROM mail_bounce");
    const answer = await ask(method as "POST", path.replace("BOUNCE", String(rows[0]?.id)), JSON.parse(body));
    expect(answer.statusCode).toBeLessThan(500);
  },
);

test.each([
  "timeline/?email=a%00b@foyer.example",
  "timeline/?email=a&email=bcd",
  "timeline/?email=%ED%A0%80abc",
  "bounces/?page=9007199254740991&per_page=100",
  "bounces/?page=999999999999999999999",
  "bounces/?status=%00",
  "bounces/?search=%00",
  "bounces/2147483648/",
  "complaints/2147483648/",
  "reports/2147483648/",
  "stats/?days=99999999999",
  "stats/series/?days=1e9",
  "stats/dashboard/?days=-1",
])("GET %s is no fault of the server", async (path) => {
  expect((await ask("GET", path)).statusCode).toBeLessThan(500);
});
