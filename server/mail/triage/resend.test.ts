import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { asLogOwner } from "#test/database.ts";

let site: TestApp;
let staff: TestPerson;
let visitor: TestPerson;
let contactMessageId: number;

beforeAll(async () => {
  site = await createTestApp();
  staff = await site.signInAs(10);
  visitor = await site.signInAs(5);
});
afterAll(() => site.close());
beforeEach(async () => {
  await asLogOwner(
    site.database.pool,
    `DELETE FROM mail_message; DELETE FROM mail_suppression; DELETE FROM mail_suppression_change; DELETE FROM audit_entry;
     DELETE FROM contact_message`,
  );
  const { rows } = await site.database.pool.query<{ id: number }>(
    `INSERT INTO contact_message (name, email, subject, message, language, challenge_id)
     VALUES ('Işıl', 'isil@foyer.example', 'Hello', 'A text.', 'tr', 'c1') RETURNING id`,
  );
  contactMessageId = rows[0]?.id ?? 0;
});

const call = (path: string, payload: object, { person = staff, language = "en" } = {}) =>
  site.app.inject({
    method: "POST",
    url: `/api/mail/${path}`,
    headers: { authorization: person.authorization, "accept-language": language },
    payload,
  });
const resend = (ids: readonly number[], options = {}) =>
  call("messages/resend/", { message_ids: ids }, options);

let count = 0;
interface Given {
  kind?: string;
  recipient?: string;
  state?: string;
  status?: string;
  vars?: object;
  userId?: number | null;
  expiresAt?: string | null;
}

/** A mail as the outbox left it. */
async function insert(given: Given = {}): Promise<number> {
  const { kind = "contact_acknowledgement", recipient = "ada@foyer.example", state = "failed" } = given;
  const { status = state === "suppressed" || state === "expired" ? state : "failed", vars = {} } = given;
  count += 1;
  const { rows } = await site.database.pool.query<{ id: number }>(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, status, delivery_state,
                               user_id, contact_message_id, expires_at)
     VALUES ($1, $1, $1, $2, $3, lower($3), 'en', $4, $5, $6, $7, $8, $9) RETURNING id`,
    [
      `t${count}`,
      kind,
      recipient,
      JSON.stringify(vars),
      status,
      state,
      given.userId ?? null,
      kind.startsWith("contact") ? contactMessageId : null,
      given.expiresAt ?? null,
    ],
  );
  return rows[0]?.id ?? 0;
}

const stop = (address: string, scope = "all") =>
  call("suppressions/", { addresses: [address], scope, reason: "They asked." });
const readMails = async () => (await site.database.pool.query("SELECT * FROM mail_message ORDER BY id")).rows;

test.each(["failed", "suppressed", "expired", "rejected", "bounced"])(
  "a mail that is %s is sent as a new one, and the old one stays as it was",
  async (state) => {
    const id = await insert({ state });
    const [before] = await readMails();
    const answer = (await resend([id])).json();
    expect(answer).toEqual({
      success: true,
      message: "It is sent again, as a new mail.",
      results: [{ id, ok: true, code: "sent_again", message: "" }],
      undo: null,
    });
    const [old, made] = await readMails();
    expect(old).toEqual(before);
    expect(made).toMatchObject({
      kind: "contact_acknowledgement",
      recipient: "ada@foyer.example",
      status: "pending",
      contact_message_id: contactMessageId,
      expires_at: null,
    });
    for (const name of ["token", "report_token", "message_id"]) expect(made[name]).not.toBe(before[name]);
    const { rows } = await site.database.pool.query(
      "SELECT user_id, detail, object_id, object_repr, change_message FROM audit_entry ORDER BY id",
    );
    expect(rows).toEqual([
      {
        user_id: staff.userId,
        detail: "resend",
        object_id: String(id),
        object_repr: "a…@foyer.example",
        change_message: `Sent again as mail ${made.id}.`,
      },
    ]);
  },
);

test("a double click, and many at once, send one", async () => {
  const id = await insert();
  const answers = await Promise.all(Array.from({ length: 5 }, () => resend([id])));
  const codes = answers.map((answer) => answer.json().results[0].code).sort();
  expect(codes).toEqual(["already", "already", "already", "already", "sent_again"]);
  expect(await readMails()).toHaveLength(2);
  expect((await resend([id])).json()).toMatchObject({
    success: false,
    message: "It was sent again already.",
  });
});

test("each mail that is not sent again says why", async () => {
  const account = { userId: staff.userId, vars: { username: "level_10" }, recipient: staff.email };
  const past = new Date(Date.now() - 60_000).toISOString();
  const room = { roomName: "Tea", roomSlug: "tea", newcomerName: "Eve", username: "level_10" };
  await stop("eve@foyer.example");
  const cases: [string, Given][] = [
    ["code", { ...account, kind: "password_reset", state: "expired" }],
    ["code", { ...account, kind: "verification_code", state: "bounced" }],
    ["waiting", { state: "pending", status: "pending" }],
    ["arrived", { state: "sent", status: "sent" }],
    ["arrived", { state: "delivered", status: "sent" }],
    ["complained", { state: "complained", status: "sent" }],
    ["forgotten", { recipient: "" }],
    ["text_gone", { kind: "contact_message" }],
    ["incomplete", { kind: "account_made", vars: { username: "gone" } }],
    ["moved", { ...account, kind: "password_changed", recipient: "before@foyer.example" }],
    ["over", { ...account, kind: "room_entered", vars: room, state: "expired", expiresAt: past }],
    ["suppressed", { recipient: "eve@foyer.example", state: "bounced" }],
  ];
  const ids: number[] = [];
  for (const [, given] of cases) ids.push(await insert(given));
  const answer = (await resend([...ids, 999_999])).json();
  expect(answer.success).toBe(false);
  expect(answer.results.map(({ code }: { code: string }) => code)).toEqual([
    ...cases.map(([code]) => code),
    "gone",
  ]);
  expect(answer.results.every(({ ok, message }: { ok: boolean; message: string }) => !ok && message)).toBe(
    true,
  );
  expect(answer.results.at(-2).message).toBe(
    "Mail to this address is still stopped (They asked.). Let it through first.",
  );
  expect(await readMails()).toHaveLength(cases.length);
});

test("what announces a new address goes to the old one again", async () => {
  const vars = { username: "level_10", newAddress: staff.email, at: "2026-11-20T10:00:00Z" };
  const given = { kind: "address_changed", vars, userId: staff.userId, recipient: "before@foyer.example" };
  const id = await insert(given);
  expect((await resend([id])).json()).toMatchObject({ success: true });
  expect((await readMails()).at(-1)).toMatchObject({ recipient: "before@foyer.example", vars });
});

test("one is a call of its own; a mail that isn't there is 404", async () => {
  const id = await insert();
  expect((await call(`messages/${id}/resend/`, {})).json()).toMatchObject({ success: true });
  expect((await call("messages/999999/resend/", {})).statusCode).toBe(404);
  const more = Array.from({ length: 501 }, (_, index) => index + 1);
  expect((await resend(more)).statusCode).toBe(400);
});

test("five hundred are one call, each with its result", async () => {
  const ids: number[] = [];
  for (let index = 0; index < 500; index += 1)
    ids.push(await insert({ recipient: `person${index}@foyer.example` }));
  const answer = (await resend(ids, { language: "tr" })).json();
  expect(answer).toMatchObject({ message: "Yeniden gönderilen: 500 e-postadan 500." });
  expect(answer.results).toHaveLength(500);
});

test("who may not open the console sends nothing", async () => {
  const id = await insert();
  expect((await resend([id], { person: visitor })).statusCode).toBe(403);
  expect((await call(`messages/${id}/resend/`, {}, { person: visitor })).statusCode).toBe(403);
  expect(await readMails()).toHaveLength(1);
});

test("lifting names what was stopped meanwhile and can be sent again", async () => {
  const earlier = await insert({ state: "suppressed" });
  await site.database.pool.query("UPDATE mail_message SET updated_at = now() - interval '1 hour'");
  await stop("ada@foyer.example");
  const [stopped, failed, code, others] = [
    await insert({ state: "suppressed" }),
    await insert({ state: "failed" }),
    await insert({ kind: "verification_code", state: "suppressed", vars: { username: "ada" } }),
    await insert({ state: "suppressed", recipient: "eve@foyer.example" }),
  ];
  const { rows } = await site.database.pool.query("SELECT id FROM mail_suppression");
  const ids = rows.map(({ id }) => id);
  const lifted = (await call("suppressions/lift/", { ids, reason: "It works again." })).json();
  expect(lifted.stopped).toEqual([stopped]);
  for (const id of [earlier, failed, code, others]) expect(lifted.stopped).not.toContain(id);
  expect((await resend(lifted.stopped)).json()).toMatchObject({ success: true });
  // Stopped once more and lifted by an undo: what was sent again is not offered again.
  const again = (await stop("ada@foyer.example")).json();
  const later = await insert({ state: "suppressed" });
  const undone = (await call("suppressions/undo/", again.undo.body)).json();
  expect(undone.stopped).toEqual([later]);
});

test("why an address gets no mail is said in the reader's language, in whatever language it was stored", async () => {
  await site.database.pool.query(
    "INSERT INTO mail_suppression (address, scope, reason, source) VALUES ('fay@foyer.example', 'all', 'Returned for good.', 'bounce')",
  );
  const id = await insert({ recipient: "fay@foyer.example", state: "suppressed" });
  const preview = async (language: string) => JSON.stringify((await resend([id], { language })).json());
  expect(await preview("en")).toContain("(Returned for good.)");
  expect(await preview("tr")).toContain("(Kalıcı olarak geri döndü.)");
});

test("what another suppression still stops is not offered", async () => {
  await stop("ada@foyer.example", "all");
  await stop("ada@foyer.example", "optional");
  await insert({ state: "suppressed" });
  const { rows } = await site.database.pool.query("SELECT id FROM mail_suppression WHERE scope = 'optional'");
  const lift = { ids: rows.map(({ id }) => id), reason: "Only these." };
  expect((await call("suppressions/lift/", lift)).json().stopped).toEqual([]);
});

test("undoing a triage names them too", async () => {
  const id = await insert({ state: "bounced", recipient: "bea@foyer.example" });
  const { rows } = await site.database.pool.query(
    `INSERT INTO mail_bounce (message_id, email_address, mail_kind, source, verdict, bounce_type, bounce_subtype, bounced_at)
     VALUES ($1, 'bea@foyer.example', 'contact_acknowledgement', 'ses', 'ask', 'Permanent', 'General', now()) RETURNING id`,
    [id],
  );
  const done = (await call("bounces/batch_unsubscribe/", { bounce_ids: [rows[0].id] })).json();
  const stopped = await insert({ state: "suppressed", recipient: "bea@foyer.example" });
  expect((await call("triage/undo/", done.undo.body)).json()).toMatchObject({
    success: true,
    stopped: [stopped],
  });
});
