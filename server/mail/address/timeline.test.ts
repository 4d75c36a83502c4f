import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { TIMELINE_MAX, timelineAnswer } from "#contract/mail/messages.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";

let site: TestApp;
let staff: TestPerson;
beforeAll(async () => {
  site = await createTestApp();
  staff = await site.signInAs(10);
});
afterAll(() => site.close());
beforeEach(() => site.database.pool.query("DELETE FROM mail_message; DELETE FROM mail_suppression"));

const ask = (email: string, { language = "en", authorization = staff.authorization } = {}) =>
  site.app.inject({
    url: `/api/mail/timeline/?email=${encodeURIComponent(email)}`,
    headers: { authorization, "accept-language": language },
  });
const read = async (email: string, language = "en") =>
  timelineAnswer.parse((await ask(email, { language })).json());

/** Mails to an address, the first of them the oldest. @returns their ids. */
async function insertMails(key: string, kinds: readonly string[]): Promise<number[]> {
  const { rows } = await site.database.pool.query<{ id: number }>(
    `INSERT INTO mail_message (created_at, token, report_token, message_id, kind, recipient, recipient_key, language, vars,
       delivery_state)
     SELECT '2026-05-01T10:00:00Z'::timestamptz + n * interval '1 hour', gen_random_uuid(), gen_random_uuid(), gen_random_uuid(),
       kind, $1, $1, 'en', '{}', 'bounced'
     FROM unnest($2::text[]) WITH ORDINALITY AS of(kind, n) ORDER BY n RETURNING id`,
    [key, kinds],
  );
  return rows.map(({ id }) => id);
}

test("all mails to an address are there, the newest first, in the language of who asks", async () => {
  await insertMails("ada@xn--rnek-4qa.example", ["verification_code", "gone_kind"]);
  await insertMails("eve@foyer.example", ["test"]);
  const { email, mails, has_more } = await read(" Ada@ÖRNEK.example ", "tr");
  expect({ email, has_more }).toEqual({ email: "ada@xn--rnek-4qa.example", has_more: false });
  expect(mails).toMatchObject([
    { kind: "gone_kind", kind_label: "gone_kind", created_at: "2026-05-01T12:00:00.000Z", events: [] },
    {
      kind: "verification_code",
      kind_label: "Doğrulama kodu",
      created_at: "2026-05-01T11:00:00.000Z",
      state: "bounced",
    },
  ]);
});

test("each mail has its events, the oldest first, without those that a later reading superseded", async () => {
  const [id] = await insertMails("ada@foyer.example", ["test"]);
  await site.database.pool.query(
    `INSERT INTO mail_event (created_at, occurred_at, message_id, kind, source, event_key, recipient, recipient_key, bounce_type,
       bounce_subtype, status_code, diagnostic, parser_version, superseded_at)
     VALUES ('2026-05-01T11:00:01Z', NULL, $1, 'sent', 'outbox', 'a', '', '', NULL, NULL, NULL, '250 Ok', 0, NULL),
       ('2026-05-01T11:00:02Z', NULL, $1, 'delivered', 'ses', 'b', '', '', NULL, NULL, NULL, NULL, 1, now()),
       ('2026-05-01T11:00:03Z', '2026-05-01T13:00:02+02:00', $1, 'bounced', 'ses', 'c', '', '', 'Permanent', 'NoEmail', '5.1.1',
        '550 unknown', 2, NULL)`,
    [id],
  );
  const nothing = {
    occurred_at: null,
    bounce_type: null,
    bounce_subtype: null,
    feedback_type: null,
    status_code: null,
    report_id: null,
  };
  expect((await read("ada@foyer.example")).mails[0]?.events).toEqual([
    {
      ...nothing,
      id: expect.any(Number),
      kind: "sent",
      source: "outbox",
      created_at: "2026-05-01T11:00:01.000Z",
      diagnostic: "250 Ok",
    },
    {
      ...nothing,
      id: expect.any(Number),
      kind: "bounced",
      source: "ses",
      created_at: "2026-05-01T11:00:03.000Z",
      occurred_at: "2026-05-01T11:00:02.000Z",
      bounce_type: "Permanent",
      bounce_subtype: "NoEmail",
      status_code: "5.1.1",
      diagnostic: "550 unknown",
    },
  ]);
});

test("what stops mail now is there: the widest of it, by whom, and nothing that is over", async () => {
  const stop = (scope: string, expires: string | null) =>
    site.database.pool.query(
      `INSERT INTO mail_suppression (address, scope, reason, source, expires_at)
       VALUES ('ada@foyer.example', $1, $1, 'admin', now() + $2::interval)`,
      [scope, expires],
    );
  expect((await read("ada@foyer.example")).suppression).toBeNull();
  await stop("optional", null);
  await stop("all", "-1 hour");
  expect((await read("ada@foyer.example")).suppression).toMatchObject({
    scope: "optional",
    expires_at: null,
  });
  await site.database.pool.query("UPDATE mail_suppression SET expires_at = now() + interval '1 hour'");
  const widest = { scope: "all", reason: "all" };
  expect((await read("ada@foyer.example")).suppression).toMatchObject({ ...widest, created_by: null });
  await site.database.pool.query("UPDATE mail_suppression SET created_by_id = $1", [staff.userId]);
  const { username: created_by } = staff;
  expect((await read("ada@foyer.example")).suppression).toMatchObject({ ...widest, created_by });
});

test("of more mails than one answer holds the newest are there, and it says so", async () => {
  const ids = await insertMails(
    "ada@foyer.example",
    Array.from({ length: TIMELINE_MAX + 1 }, () => "test"),
  );
  const { mails, has_more } = await read("ada@foyer.example");
  expect([mails.length, has_more, mails[0]?.id]).toEqual([TIMELINE_MAX, true, ids.at(-1)]);
});

test("mails of people who were taken out are nobody's", async () => {
  await insertMails("", ["test"]);
  for (const email of ["", "   ", "  @ "]) expect((await ask(email)).statusCode).toBe(400);
  expect((await read("a@b")).mails).toEqual([]);
});

test("it is for those who may open the console", async () => {
  const { authorization } = await site.signInAs(9);
  expect((await ask("ada@foyer.example", { authorization })).statusCode).toBe(403);
});
