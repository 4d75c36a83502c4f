import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { LOCAL_SENDER } from "#server/config.ts";
import { openMailDeps } from "#server/open-mail.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { type MailSink, openMailSink } from "#test/mail-sink.ts";
import { until } from "#test/until.ts";
import { parseConfig } from "../config.ts";
import { sendDue } from "./outbox/test-outbox.ts";
import { createReportIntake } from "./reports/reports.ts";
import { returnedSource } from "./reports/returned/returned-source.ts";
import { createSesSource } from "./reports/ses/ses-source.ts";
import {
  createCertificateHost,
  getOwnCertificate,
  NOW,
  readEnvelope,
  readMailFile,
  sign,
  TOPIC,
} from "./reports/ses/test-sns.ts";

const BOUNCES = "back@foyer.example";
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

let site: TestApp;
let sink: MailSink;
let staff: TestPerson;
let owner: TestPerson;
beforeAll(async () => {
  const { fetch } = createCertificateHost(() => new Response(getOwnCertificate().pem));
  const ses = createSesSource({ topics: [TOPIC], fetch, now: () => NOW });
  site = await createTestApp({ mailWays: { webhooks: [ses], takesReturnedMail: true } });
  sink = await openMailSink();
  staff = await site.signInAs(10);
  owner = await site.signInAs(999, "owner");
  await site.listen();
});
afterAll(async () => {
  await sink.close();
  await site.close();
});

interface SentCode {
  id: number;
  report_token: string;
  recipient: string;
  code: string;
}

/** What a server writes that quotes the mail which it speaks of. */
const toQuote = (code: string) => `Spam: "${code} is your code for a new password"`;

/** Has the outbox send a code for a new password. `isRefused`: the next server takes it not, and quotes its subject. */
async function askForCode({ email }: TestPerson, isRefused = false): Promise<SentCode> {
  const { pool } = site.database;
  const answer = await site.app.inject({
    method: "POST",
    url: "/api/users/password/forgot/",
    payload: { email },
  });
  expect(answer.statusCode).toBe(200);
  const findMail = () =>
    pool.query<SentCode>(
      "SELECT id, report_token, recipient FROM mail_message WHERE kind = 'password_reset' AND recipient = $1",
      [email],
    );
  await until(async () => (await findMail()).rowCount === 1);
  let code = "";
  sink.answer = ({ content }) => {
    code = /\d{6}/.exec(content.subject ?? "")?.[0] ?? "";
    return isRefused ? { kind: "reject", status: 554, text: `5.7.1 ${toQuote(code)}` } : { kind: "accept" };
  };
  const { worker } = await openMailDeps({
    config: {
      dataDir: site.dataDir,
      smtpUrl: sink.url,
      mailFrom: LOCAL_SENDER,
      mailBounces: BOUNCES,
      mailReturnPath: "verp",
      mailReports: parseConfig({}).mailReports,
    },
    pool,
    log: QUIET,
    now: () => new Date(),
    getOrigin: () => "https://site.test",
  });
  await sendDue(worker);
  await worker.transport.close();
  const [mail] = (await findMail()).rows;
  if (!mail || code === "") throw new Error("no code was sent");
  return { ...mail, code };
}

/** Amazon's news of the mail, with the subject in each place that it has for one. */
function toSesEvent(file: string, { report_token, recipient, code }: SentCode): object {
  const event = JSON.parse(String(readEnvelope(file).Message));
  const subject = `${code} is your code`;
  event.mail.destination = [recipient];
  event.mail.headers = [
    { name: "Subject", value: subject },
    { name: "X-Foyer-Message-Id", value: report_token },
  ];
  event.mail.commonHeaders.subject = subject;
  if (event.delivery)
    Object.assign(event.delivery, { recipients: [recipient], smtpResponse: `250 ${subject}` });
  for (const bounced of event.bounce?.bouncedRecipients ?? [])
    Object.assign(bounced, { emailAddress: recipient, diagnosticCode: `smtp; 550 5.1.1 ${toQuote(code)}` });
  return event;
}

async function reportReturn(mail: SentCode): Promise<void> {
  for (const file of ["sns/send.json", "sns/delivery.json", "sns/bounce-permanent-noemail.json"]) {
    const Message = JSON.stringify(toSesEvent(file, mail));
    const envelope = sign({ ...readEnvelope(file), MessageId: randomUUID(), Message });
    const answer = await site.app.inject({
      method: "POST",
      url: "/api/mail/webhooks/ses/",
      headers: { "content-type": "text/plain; charset=utf-8" },
      payload: JSON.stringify(envelope),
    });
    expect(answer.statusCode).toBe(200);
  }
  const to = `back+b-${mail.report_token}@foyer.example`;
  const raw = readMailFile("dsn/01-user-unknown-failed.eml")
    .toString()
    .replaceAll("Your verification code", `${mail.code} is your code`)
    .replaceAll("User unknown", toQuote(mail.code))
    .replaceAll("nobody@example.net", mail.recipient)
    .replaceAll("bounces+d165d9e10261@foyer.test", to);
  const report = await returnedSource.prove(Buffer.from(raw), { recipient: to });
  if (!report) throw new Error("the returned mail was not read");
  const { pool } = site.database;
  await createReportIntake({ pool, log: QUIET, now: () => new Date() }).store("returned", report);
  await until(async () => (await pool.query("SELECT FROM mail_report WHERE state = 'new'")).rowCount === 0);
}

/** Rows, of all tables, in which the code stands apart: longer numbers and moments hold any six digits. */
async function findRows(code: string): Promise<string[]> {
  const { pool } = site.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(
      `SELECT t::text AS row FROM ${name} AS t WHERE t::text ~ ('(^|[^[:alnum:].])' || $1 || '([^[:alnum:]]|$)')`,
      [code],
    );
    found.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return found;
}

/** All that the calls of mail, the content models with their exports, and the log answer to level 10. */
async function readEverything(email: string): Promise<string> {
  const headers = { authorization: staff.authorization };
  const get = async (url: string) => (await site.app.inject({ url, headers })).body;
  const models = JSON.parse(await get("/api/admin/models/"));
  const ids: number[] = models.models.map((model: { content_type_id: number }) => model.content_type_id);
  expect(ids.length).toBeGreaterThan(10);
  const urls = [
    ...ids.flatMap((id) => [
      `/api/admin/models/${id}/objects/?page_size=100`,
      `/api/admin/models/${id}/objects/export/?format=json`,
    ]),
    `/api/mail/timeline/?email=${encodeURIComponent(email)}`,
    ...["sources/", "bounces/", "complaints/", "dashboard/", "stats/", "stats/series/"].map(
      (path) => `/api/mail/${path}`,
    ),
    "/api/admin/actions/?page_size=100",
  ];
  const answers: string[] = [];
  for (const url of urls) answers.push(await get(url));
  return answers.join("\n");
}

test("a superuser's code for a new password is readable nowhere, whatever other servers report of its mail", async () => {
  const second = await site.signInAs(999, "second");
  const codes = [await askForCode(owner, true), await askForCode(second)];
  for (const mail of codes) await reportReturn(mail);
  const { rows: reports } = await site.database.pool.query<{ id: number }>("SELECT id FROM mail_report");
  expect(reports).toHaveLength(8);
  for (const { code, recipient } of codes) {
    expect(await findRows(code)).toEqual([]);
    const isCode = new RegExp(`(?<![\\w.])${code}(?!\\w)`);
    const everything = await readEverything(recipient);
    expect(everything).toContain(recipient);
    expect(everything).not.toMatch(isCode);
    for (const { id } of reports) {
      const url = `/api/mail/reports/${id}/`;
      const ofStaff = await site.app.inject({ url, headers: { authorization: staff.authorization } });
      expect(ofStaff.statusCode).toBe(403);
      const ofOwner = await site.app.inject({ url, headers: { authorization: owner.authorization } });
      expect(ofOwner.statusCode).toBe(200);
      expect(ofOwner.body).not.toMatch(isCode);
    }
  }
});
