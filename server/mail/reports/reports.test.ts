import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type MailSink, openMailSink } from "#test/mail-sink.ts";
import { sendDue } from "../outbox/test-outbox.ts";
import { createSmtpTransport } from "../outbox/transports.ts";
import { reopenReports } from "./report-store.ts";
import { buildBounce, buildComplaint, openTestReports, type TestReports } from "./test-reports.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let reports: TestReports;
beforeAll(async () => {
  reports = await openTestReports();
});
afterAll(() => reports.close());
beforeEach(() => reports.empty());

test("a mail that came back for good is a bounce, and its address gets no more mail", async () => {
  const mail = await reports.sendMail("Ada@Foyer.example");
  await reports.report("signed", "1", [buildBounce(mail)]);
  await reports.reader.readAll();
  const [stop] = await reports.read("mail_suppression");
  expect(stop).toMatchObject({ address: "ada@foyer.example", scope: "all", source: "bounce" });
  expect(await reports.read("mail_bounce")).toMatchObject([
    {
      message_id: mail.id,
      email_address: "Ada@Foyer.example",
      bounce_type: "Permanent",
      bounce_subtype: "NoEmail",
      unsubscribed_by: "server",
      suppression_id: stop?.id,
      is_processed: false,
    },
  ]);
  expect(await reports.read("mail_message")).toMatchObject([
    { status: "sent", delivery_state: "bounced", failure_reason: "smtp; 550 5.1.1 user unknown" },
  ]);
});

test("one return by three ways, each of them twice, is one bounce with its sources below it", async () => {
  const mail = await reports.sendMail();
  for (const round of ["first", "second"])
    for (const name of ["signed", "returned", "ses"])
      await reports.report(name, `${name} ${round}`, [buildBounce(mail, { key: `key of ${name}` })]);
  await reports.reader.readAll();
  expect(await reports.read("mail_bounce")).toHaveLength(1);
  const events = (await reports.read("mail_event")).filter(({ kind }) => kind === "bounced");
  expect(events.map(({ source }) => source)).toEqual(["signed", "returned", "ses"]);
});

test("a mail that came back needs its secret and its recipient; a provider's word of our Message-ID is good", async () => {
  const mail = await reports.sendMail();
  const byId = { mail: { messageId: mail.message_id } };
  await reports.report("returned", "no secret", [buildBounce(mail, { ...byId, key: "1" })]);
  await reports.report("returned", "another recipient", [
    buildBounce(mail, { recipient: "eve@foyer.example", key: "2" }),
  ]);
  await reports.report("ses", "another recipient", [
    buildBounce(mail, { ...byId, recipient: "eve@foyer.example", key: "3" }),
  ]);
  await reports.reader.readAll();
  expect(await reports.read("mail_suppression")).toEqual([]);
  expect(await reports.read("mail_bounce")).toEqual([]);
  await reports.report("ses", "good", [buildBounce(mail, { ...byId, key: "4" })]);
  await reports.reader.readAll();
  expect(await reports.read("mail_bounce")).toHaveLength(1);
});

test("a report that comes before its mail's id is known finds it afterwards", async () => {
  const mail = await reports.sendMail();
  await reports.report("ses", "early", [buildBounce(mail, { mail: { providerId: "0107-late" } })]);
  await reports.reader.readAll();
  expect(await reports.read("mail_bounce")).toEqual([]);
  await reports.pool.query(
    `INSERT INTO mail_event (message_id, kind, source, event_key, recipient, recipient_key, provider_id, parser_version)
     VALUES ($1, 'sent', 'outbox', 'sent', $2, $2, '0107-late', 0)`,
    [mail.id, mail.recipient],
  );
  await reports.reader.readAll();
  expect(await reports.read("mail_bounce")).toHaveLength(1);
  expect(await reports.read("mail_suppression")).toHaveLength(1);
});

test("what staff lifted stays lifted, whoever reads the reports again, and their notes stay", async () => {
  const mail = await reports.sendMail();
  await reports.report("signed", "1", [buildBounce(mail)]);
  await reports.reader.readAll();
  await reports.pool.query("UPDATE mail_bounce SET note = 'asked by phone', is_processed = true");
  await reports.pool.query("DELETE FROM mail_suppression");
  await reports.report("returned", "2", [buildBounce(mail, { key: "again" })]);
  await reopenReports(reports.pool, "all");
  await reports.reader.readAll();
  expect(await reports.read("mail_suppression")).toEqual([]);
  expect(await reports.read("mail_bounce")).toMatchObject([{ note: "asked by phone", is_processed: true }]);
});

test.each([
  ["abuse", 1, "optional"],
  ["fraud", 1, "optional"],
  [null, 1, "optional"],
  ["opt-out", 1, "optional"],
  ["virus", 1, undefined],
  ["other", 1, undefined],
  ["not-spam", 1, undefined],
  ["abuse", 2, undefined],
])("a complaint %s of %d recipients stops %s", async (type, candidates, scope) => {
  const mail = await reports.sendMail();
  await reports.report("signed", "1", [buildComplaint(mail, type, candidates)]);
  await reports.reader.readAll();
  expect((await reports.read("mail_suppression")).map((row) => row.scope)).toEqual(scope ? [scope] : []);
  expect(await reports.read("mail_complaint")).toHaveLength(1);
});

test("mails of staff are never stopped by a return: somebody is asked", async () => {
  reports.staff.add("ada@foyer.example");
  const mail = await reports.sendMail();
  await reports.report("signed", "1", [buildBounce(mail)]);
  await reports.reader.readAll();
  expect(await reports.read("mail_suppression")).toEqual([]);
  expect(await reports.read("mail_bounce")).toMatchObject([{ verdict: "ask", unsubscribed_by: null }]);
});

const TRANSIENT = { bounce: { type: "Transient", subtype: "MailboxFull" }, statusCode: "5.2.2" } as const;

test("three mails in a month that come back for the moment stop optional mail for a month, unless one arrived between", async () => {
  async function comeBack(recipient: string): Promise<void> {
    const mail = await reports.sendMail(recipient);
    await reports.report("signed", mail.report_token, [buildBounce(mail, TRANSIENT)]);
    await reports.reader.readAll();
    reports.clock.now += DAY_MS;
  }
  for (const _ of [1, 2, 3]) await comeBack("full@foyer.example");
  for (const _ of [1, 2]) await comeBack("mended@foyer.example");
  const arrived = await reports.sendMail("mended@foyer.example");
  const delivered = { ...buildBounce(arrived), kind: "delivered" as const };
  await reports.report("signed", "arrived", [delivered]);
  await reports.reader.readAll();
  reports.clock.now += DAY_MS;
  await comeBack("mended@foyer.example");
  const stops = await reports.read("mail_suppression");
  expect(stops).toMatchObject([{ address: "full@foyer.example", scope: "optional" }]);
  expect(stops[0]?.expires_at).not.toBeNull();
});

test.each([
  { statusCode: "5.7.1", diagnostic: "smtp; 550 5.7.1 rejected by policy" },
  { statusCode: "5.5.0", diagnostic: "smtp; 550 5.7.26 message rejected" },
  { statusCode: "4.7.1", diagnostic: "smtp; 451 4.7.1 try again later" },
  { statusCode: "4.4.7", diagnostic: "smtp; 451 client host blocked using zen.spamhaus.org" },
  { statusCode: "5.0.0", diagnostic: "smtp; 550 blocked using zen.spamhaus.org" },
])("a server that refuses us ($diagnostic) is never counted towards a person", async (refusal) => {
  const bounce = { type: "Transient", subtype: "General" } as const;
  const comeBack = async (more: object) => {
    const mail = await reports.sendMail();
    await reports.report("signed", mail.report_token, [buildBounce(mail, { bounce, ...more })]);
    await reports.reader.readAll();
    reports.clock.now += DAY_MS;
  };
  for (const more of [TRANSIENT, TRANSIENT, refusal, refusal, refusal]) await comeBack(more);
  expect(await reports.read("mail_bounce")).toHaveLength(5);
  expect(await reports.read("mail_suppression")).toEqual([]);
  await comeBack(TRANSIENT);
  expect(await reports.read("mail_suppression")).toMatchObject([{ scope: "optional" }]);
});

test("where nobody reports mails that arrived, one between that did not come back counts as such", async () => {
  const silent = await openTestReports({ isAccepted: true });
  const send = async (name: string) => {
    const mail = await silent.sendMail(`${name}@foyer.example`);
    silent.clock.now += DAY_MS;
    return mail;
  };
  const comeBack = async (...mails: readonly { report_token: string; recipient: string }[]) => {
    for (const mail of mails)
      await silent.report("returned", mail.report_token, [buildBounce(mail, TRANSIENT)]);
    await silent.reader.readAll();
  };
  await comeBack(await send("mended"), await send("mended"));
  await send("mended");
  await comeBack(await send("mended"));
  expect(await silent.read("mail_suppression")).toEqual([]);
  await comeBack(await send("mended"), await send("mended"));
  expect(await silent.read("mail_suppression")).toMatchObject([{ address: "mended@foyer.example" }]);
  // Returns take days: of what was sent after the last that came back nothing is known yet.
  const slow = [await send("slow"), await send("slow"), await send("slow")];
  await send("slow");
  await comeBack(...slow);
  expect(await silent.read("mail_suppression")).toMatchObject([
    { address: "mended@foyer.example" },
    { address: "slow@foyer.example" },
  ]);
  await silent.close();
});

test("a report that can't be understood is named, holds up no other, and can be read again", async () => {
  const mail = await reports.sendMail();
  await reports.intake.store("signed", { key: "odd", content: { not: "a list" } });
  await reports.report("signed", "good", [buildBounce(mail)]);
  await reports.reader.readAll();
  const read = async () =>
    (await reports.pool.query("SELECT report_key, state, error FROM mail_report ORDER BY id")).rows;
  expect(await read()).toMatchObject([
    { report_key: "odd", state: "failed", error: expect.stringMatching(/./) },
    { report_key: "good", state: "read", error: null },
  ]);
  await reports.pool.query("UPDATE mail_report SET content = '[]' WHERE report_key = 'odd'");
  await reopenReports(reports.pool, "all");
  await reports.reader.readAll();
  expect((await read()).map(({ state }) => state)).toEqual(["read", "read"]);
});

describe("at our own hand-over", () => {
  let sink: MailSink;
  beforeEach(async () => {
    sink = await openMailSink();
  });
  afterEach(() => sink.close());

  async function handOver(answer: { status: number; text: string }): Promise<void> {
    const { pool, mail } = reports;
    await mail.queue(pool, { kind: "test", recipient: "gone@foyer.example", language: "en" });
    sink.answerRecipient = () => answer;
    const transport = createSmtpTransport(sink.url);
    await sendDue(reports.toDeps(transport));
    await transport.close();
    await reports.reader.readAll();
  }

  test("a no with a code of the address is a bounce, and stops mail to it", async () => {
    await handOver({ status: 550, text: "5.1.1 <gone@foyer.example> User unknown" });
    expect(await reports.read("mail_bounce")).toMatchObject([
      { bounce_type: "Permanent", bounce_subtype: "NoEmail", status_code: "5.1.1", source: "outbox" },
    ]);
    expect(await reports.read("mail_suppression")).toMatchObject([
      { address: "gone@foyer.example", scope: "all", source: "bounce" },
    ]);
    expect(await reports.read("mail_message")).toMatchObject([
      { status: "failed", delivery_state: "bounced" },
    ]);
  });

  test.each([
    "5.7.1 Relaying denied",
    "Message rejected: Email address is not verified. Sandbox",
    "5.7.1 Service unavailable; client host blocked using zen.spamhaus.org",
    "5.1.8 Sender address rejected: domain not found",
    "User unknown",
  ])("a relay's own no (%s) condemns nobody", async (text) => {
    await handOver({ status: 554, text });
    expect(await reports.read("mail_bounce")).toEqual([]);
    expect(await reports.read("mail_suppression")).toEqual([]);
    expect(await reports.read("mail_message")).toMatchObject([
      { status: "failed", delivery_state: "rejected" },
    ]);
  });
});

test("a database that can't write for a while leaves the report to be read", async () => {
  const mail = await reports.sendMail();
  await reports.report("signed", "1", [buildBounce(mail)]);
  await reports.pool.query(
    `CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'No space left on device'; END $$;
     CREATE TRIGGER refuse_event BEFORE INSERT ON mail_event FOR EACH ROW EXECUTE FUNCTION refuse_event()`,
  );
  await expect(reports.reader.readAll()).rejects.toThrow("No space left");
  await reports.pool.query("DROP TRIGGER refuse_event ON mail_event; DROP FUNCTION refuse_event()");
  await reports.reader.readAll();
  expect(await reports.read("mail_bounce")).toHaveLength(1);
});

test("a hundred equal reports at the same moment are one", async () => {
  const mail = await reports.sendMail();
  await Promise.all(Array.from({ length: 100 }, () => reports.report("ses", "one", [buildBounce(mail)])));
  await Promise.all([reports.reader.readAll(), reports.reader.readAll()]);
  expect((await reports.read("mail_event")).filter(({ kind }) => kind === "bounced")).toHaveLength(1);
  expect(await reports.read("mail_bounce")).toHaveLength(1);
});

test("a person who deletes their account leaves no address in what is known of their mails", async () => {
  const mail = await reports.sendMail("gone@foyer.example");
  await reports.report("signed", "1", [
    buildBounce(mail, { diagnostic: "550 <gone@foyer.example> unknown" }),
  ]);
  await reports.reader.readAll();
  await reports.mail.forgetPerson(reports.pool, { userId: 0, addresses: ["gone@foyer.example"] });
  const tables = ["mail_message", "mail_event", "mail_bounce", "mail_report"];
  for (const table of tables) {
    const { rows } = await reports.pool.query(`SELECT * FROM ${table}`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain("gone@foyer.example");
  }
  await reopenReports(reports.pool, "all");
  await reports.reader.readAll();
  expect(await reports.read("mail_bounce")).toHaveLength(1);
});
