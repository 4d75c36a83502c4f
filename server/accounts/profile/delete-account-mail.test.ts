import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { LOCAL_SENDER, parseConfig } from "#server/config.ts";
import { sendDue } from "#server/mail/outbox/test-outbox.ts";
import { openMailDeps } from "#server/open-mail.ts";
import { openProfiles, PASSWORD, type Person, type ProfilesFixture } from "./fixture.ts";

let profiles: ProfilesFixture;
let staff: Person;
beforeAll(async () => {
  profiles = await openProfiles();
  staff = await profiles.addPerson("console", { level: 10 });
});
afterAll(() => profiles.close());

const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await profiles.pool.query<Row>(sql, values)).rows;
const call = (path: string, payload: object) => profiles.call("POST", `/api/mail/${path}`, staff, payload);

/** All that the tables of mails and the log hold, as text, by table. */
async function dump(): Promise<Map<string, string>> {
  const tables = await query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND (c.relname LIKE 'mail\\_%' OR c.relname = 'audit_entry')`,
  );
  const texts = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await query<{ text: string }>(`SELECT lower(t::text) AS text FROM ${name} AS t`);
    texts.set(name, rows.map(({ text }) => text).join("\n"));
  }
  return texts;
}

let count = 0;
async function insertMail(recipient: string, userId: number | null, state = "bounced"): Promise<number> {
  count += 1;
  const [row] = await query<{ id: number }>(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, status, delivery_state,
                               failure_reason, user_id)
     VALUES ($1, $1, $1, 'account_made', $2, lower($2), 'en', '{"username":"x"}', 'sent', $3, $4, $5) RETURNING id`,
    [`t${count}`, recipient, state, `550 5.1.1 <${recipient}> unknown`, userId],
  );
  return row?.id ?? 0;
}

/** What is kept of a mail that came back: report, event, bounce, complaint and the suppression that the server made. */
async function insertReturn(address: string, messageId: number | null) {
  const response = `550 5.1.1 <${address}> unknown`;
  const [report] = await query<{ id: number }>(
    `INSERT INTO mail_report (received_at, source, report_key, content, state) VALUES (now(), 'ses', $1, $2, 'read') RETURNING id`,
    [`r${messageId} ${count}`, JSON.stringify({ recipients: [address], told: response })],
  );
  const [event] = await query<{ id: number }>(
    `INSERT INTO mail_event (message_id, report_id, kind, source, event_key, recipient, recipient_key, diagnostic, parser_version)
     VALUES ($1, $2, 'bounced', 'ses', $3, $4, lower($4), $5, 1) RETURNING id`,
    [messageId, report?.id, `e${messageId}`, address, response],
  );
  return { eventId: event?.id ?? 0, told: response };
}

async function insertTriage(
  address: string,
  messageId: number,
  suppressionId: number | null,
  response: string,
) {
  const [bounce] = await query<{ id: number }>(
    `INSERT INTO mail_bounce (message_id, email_address, mail_kind, source, verdict, bounce_type, bounce_subtype, diagnostic_code,
                              bounced_at, note, suppression_id)
     VALUES ($1, $2, 'account_made', 'ses', 'all', 'Permanent', 'NoEmail', $3, now(), $4, $5) RETURNING id`,
    [messageId, address, response, `asked ${address}`, suppressionId],
  );
  const [complaint] = await query<{ id: number }>(
    `INSERT INTO mail_complaint (message_id, email_address, mail_kind, source, verdict, feedback_type, complained_at, note)
     VALUES ($1, $2, 'account_made', 'ses', 'optional', 'abuse', now(), $3) RETURNING id`,
    [messageId, address, `asked ${address}`],
  );
  return { bounceId: bounce?.id ?? 0, complaintId: complaint?.id ?? 0 };
}

const stop = (address: string, eventId: number, reason: string) =>
  query<{ id: number }>(
    `INSERT INTO mail_suppression (address, scope, reason, source, source_event_id) VALUES ($1, 'all', $2, 'bounce', $3) RETURNING id`,
    [address, reason, eventId],
  );

/** Sends what waits, as the outbox of this site does. @returns the statuses of mails of nobody's account, by recipient. */
async function send(): Promise<Record<string, string>> {
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const { worker } = await openMailDeps({
    config: {
      dataDir: profiles.site.dataDir,
      smtpUrl: undefined,
      mailFrom: LOCAL_SENDER,
      mailBounces: LOCAL_SENDER.address,
      mailReturnPath: "verp",
      mailReports: parseConfig({}).mailReports,
    },
    pool: profiles.pool,
    log: silent,
    now: () => new Date(profiles.clock.now),
    getOrigin: () => "https://site.test",
  });
  await sendDue(worker);
  const rows = await query<{ recipient: string; status: string }>(
    "SELECT recipient, status FROM mail_message WHERE kind = 'test'",
  );
  return Object.fromEntries(rows.map(({ recipient, status }) => [recipient, status]));
}

async function queueTest(recipient: string): Promise<void> {
  count += 1;
  await query(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, next_attempt_at)
     VALUES ($1, $1, $1, 'test', $2, lower($2), 'en', '{}', $3)`,
    [`t${count}`, recipient, new Date(profiles.clock.now).toISOString()],
  );
}

const remove = (person: Person) => profiles.call("DELETE", "/api/users/me/", person, { password: PASSWORD });
const ADDRESS = "lovelace@example.org";

test("a deleted person's address is in no table of mails nor in the log, and mail to it is still stopped", async () => {
  const person = await profiles.addPerson("Lovelace");
  await profiles.addPerson("Other");
  const messageId = await insertMail(ADDRESS, person.id);
  const { eventId, told: response } = await insertReturn(ADDRESS, messageId);
  const [made] = await stop(ADDRESS, eventId, `5.1.1 · ${response}`);
  const { bounceId, complaintId } = await insertTriage(ADDRESS, messageId, made?.id ?? 0, response);
  await insertReturn("LOVELACE@example.org", null);
  await query(
    `INSERT INTO mail_report (received_at, source, report_key, content, state) VALUES (now(), 'ses', 'unreadable', $1, 'failed')`,
    [JSON.stringify({ what: `About ${ADDRESS}` })],
  );
  // What staff did about it, with entries in the log and what could be undone.
  const ids = [made?.id];
  const lifted = (await call("suppressions/lift/", { ids, reason: `${ADDRESS} works again` })).json();
  await call("suppressions/undo/", lifted.undo.body);
  const optional = { scope: "optional", reason: `Asked by ${ADDRESS}` };
  await call("suppressions/", { addresses: [ADDRESS, "other@example.org"], ...optional });
  await call("bounces/batch_process/", { bounce_ids: [bounceId] });
  await call("complaints/batch_process/", { complaint_ids: [complaintId] });
  const again = await insertMail(ADDRESS, person.id, "failed");
  await query("DELETE FROM mail_suppression WHERE scope = 'all'");
  expect((await call("messages/resend/", { message_ids: [again] })).json()).toMatchObject({
    message: /stopped|new mail/,
  });
  await stop(ADDRESS, eventId, `5.1.1 · ${response}`);
  const filled = [...(await dump())].filter(([, text]) => text.includes("lovelace")).map(([name]) => name);
  expect(filled.sort()).toEqual([
    "audit_entry",
    "mail_bounce",
    "mail_complaint",
    "mail_event",
    "mail_message",
    "mail_report",
    "mail_suppression",
    "mail_suppression_change",
  ]);
  await queueTest("other@example.org");

  expect((await remove(person)).statusCode).toBe(204);

  for (const [name, text] of await dump()) {
    expect([name, text.includes("lovelace"), text.includes("l…@example.org")]).toEqual([name, false, false]);
  }
  expect(await query("SELECT address, scope, reason FROM mail_suppression ORDER BY scope, address")).toEqual([
    { address: expect.stringMatching(/^#[\da-f]{32}$/), scope: "all", reason: "5.1.1" },
    { address: expect.stringMatching(/^#[\da-f]{32}$/), scope: "optional", reason: "" },
    { address: "other@example.org", scope: "optional", reason: "Asked by …" },
  ]);
  await queueTest(ADDRESS);
  await queueTest("LoveLace@Example.ORG");
  await queueTest("lovelace2@example.org");
  expect(await send()).toEqual({
    [ADDRESS]: "suppressed",
    "LoveLace@Example.ORG": "suppressed",
    "lovelace2@example.org": "sent",
    "other@example.org": "sent",
  });
});

test("such a suppression is found by its address, lifted by its row, and put back", async () => {
  const address = "byron@example.org";
  const person = await profiles.addPerson("Byron");
  await call("suppressions/", { addresses: [address], scope: "all", reason: "Asked." });
  await remove(person);
  const read = () =>
    query<{ id: number; address: string }>(
      "SELECT id, address FROM mail_suppression WHERE scope = 'all' AND reason = ''",
    );
  const [row] = await read();
  const typed = { addresses: ["BYRON@example.org"], scope: "all", reason: "Once more." };
  expect((await call("suppressions/", typed)).json()).toMatchObject({ changed: 0, unchanged: 1 });
  const timeline = await profiles.call("GET", `/api/mail/timeline/?email=${address}`, staff);
  expect(timeline.json()).toMatchObject({ suppression: { id: row?.id }, mails: [] });
  const lifted = (await call("suppressions/lift/", { ids: [row?.id], reason: "By phone." })).json();
  expect(lifted).toMatchObject({ success: true, changed: 1 });
  await query("DELETE FROM mail_message WHERE kind = 'test'");
  await queueTest(address);
  expect(await send()).toEqual({ [address]: "sent" });
  expect((await call("suppressions/undo/", lifted.undo.body)).json()).toMatchObject({ changed: 1 });
  expect(await read()).toMatchObject([{ address: row?.address }]);
  await query("DELETE FROM mail_message WHERE kind = 'test'");
  await queueTest(address);
  expect(await send()).toEqual({ [address]: "suppressed" });
});

test("an address that was never proven is hashed where this person's mail named it, and stays where it is others' too", async () => {
  for (const [name, isShared] of [
    ["wrote_alone", false],
    ["wrote_shared", true],
  ] as const) {
    const person = await profiles.addPerson(name, { columns: "is_email_verified = false" });
    const address = `${name}@example.org`;
    const messageId = await insertMail(address, person.id);
    if (isShared) await insertMail(address, null, "sent");
    const { eventId, told: response } = await insertReturn(address, messageId);
    await stop(address, eventId, response);
    expect((await remove(person)).statusCode).toBe(204);
    const rows = await query("SELECT FROM mail_suppression WHERE address = $1", [address]);
    expect(rows).toHaveLength(isShared ? 1 : 0);
  }
});
