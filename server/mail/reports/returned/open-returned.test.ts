import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import nodemailer from "nodemailer";
import { createReportIntake } from "../intake.ts";
import { createReportReader } from "../reports.ts";
import { openTestReports, type TestReports } from "../test-reports.ts";
import { openReturnedMail } from "./open-returned.ts";
import { returnedSource } from "./returned-source.ts";

const BOUNCES = "back@foyer.example";

let reports: TestReports;
let folder: string;
beforeAll(async () => {
  reports = await openTestReports();
  folder = await mkdtemp(join(tmpdir(), "foyer-maildir-"));
  for (const room of ["new", "cur", "tmp"]) await mkdir(join(folder, room));
});
afterAll(async () => {
  await reports.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => reports.empty());

/** A report in the form of RFC 3464, as a mail server writes it. */
function buildReturn(token: string, recipient: string, to = `back+b-${token}@foyer.example`): string {
  return [
    `Message-ID: <${token}.${Math.random()}@mx.example>`,
    "From: MAILER-DAEMON@mx.example",
    `To: ${to}`,
    "Subject: Undelivered Mail Returned to Sender",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "MIME-Version: 1.0",
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "I'm sorry.",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example",
    "",
    `Final-Recipient: rfc822; ${recipient}`,
    "Action: failed",
    "Status: 5.1.1",
    "Diagnostic-Code: smtp; 550 5.1.1 user unknown",
    "",
    "--b--",
    "",
  ].join("\r\n");
}

async function open(more: { listen?: { host: string; port: number }; maildir?: string }) {
  const { pool, log, now } = reports;
  const ports: number[] = [];
  const listening = (details: object) => {
    if ("port" in details) ports.push(Number(details.port));
  };
  const intake = createReportIntake({ pool, log, now });
  const returned = await openReturnedMail({
    listen: more.listen,
    maildir: more.maildir,
    feedbackAddress: "fbl@foyer.example",
    bounces: BOUNCES,
    pool,
    intake,
    log: { ...log, info: listening },
  });
  const reader = createReportReader({
    pool,
    feed: { subscribe: () => () => undefined } as never, // tests read when they want
    sources: [returnedSource],
    suppressions: reports.suppressions,
    rules: reports.rules,
    isStaffAddress: async () => false,
    isAccepted: true,
    log,
    now,
  });
  return { returned, reader, port: ports[0] ?? 0 };
}

test("a mail that comes back by SMTP stops mail to its address; who names no secret of ours is turned away", async () => {
  const mail = await reports.sendMail();
  const { returned, reader, port } = await open({ listen: { host: "127.0.0.1", port: 0 } });
  const transport = nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  const send = (to: string, raw: string) => transport.sendMail({ envelope: { from: "", to }, raw });
  const wrong = "0".repeat(24);
  await expect(send(`back+b-${wrong}@foyer.example`, buildReturn(wrong, mail.recipient))).rejects.toThrow(
    "550",
  );
  // The feedback address takes mail of anybody: what it names proves it, or nothing.
  await send("fbl@foyer.example", buildReturn(wrong, mail.recipient, "fbl@foyer.example"));
  await reader.readAll();
  expect(await reports.read("mail_suppression")).toEqual([]);
  const { rows: refused } = await reports.pool.query("SELECT name, refusal FROM mail_source");
  expect(refused).toEqual([{ name: "returned", refusal: expect.stringContaining("names no mail") }]);

  await send(`back+b-${mail.report_token}@foyer.example`, buildReturn(mail.report_token, mail.recipient));
  await reader.readAll();
  expect(await reports.read("mail_bounce")).toMatchObject([
    { message_id: mail.id, bounce_subtype: "NoEmail" },
  ]);
  expect(await reports.read("mail_suppression")).toMatchObject([{ address: mail.recipient, scope: "all" }]);
  transport.close();
  await returned.close();
});

test("a mail that comes back into a folder does the same, and its file moves once it is stored", async () => {
  const mail = await reports.sendMail("folder@foyer.example");
  await writeFile(join(folder, "new", "1.host"), buildReturn(mail.report_token, mail.recipient));
  const { returned, reader } = await open({ maildir: folder });
  while ((await readdir(join(folder, "cur"))).length === 0) await new Promise((done) => setTimeout(done, 5));
  await returned.close();
  await reader.readAll();
  expect(await readdir(join(folder, "cur"))).toEqual(["1.host:2,S"]);
  expect(await reports.read("mail_suppression")).toMatchObject([{ address: mail.recipient }]);
});

test("of one mail only so many reports are taken", async () => {
  const mail = await reports.sendMail();
  await reports.pool.query(
    `INSERT INTO mail_event (message_id, kind, source, event_key, recipient, recipient_key, parser_version)
     SELECT $1, 'delayed', 'returned', n::text, '', '', 1 FROM generate_series(1, 20) AS n`,
    [mail.id],
  );
  const { returned, port } = await open({ listen: { host: "127.0.0.1", port: 0 } });
  const transport = nodemailer.createTransport({ host: "127.0.0.1", port, ignoreTLS: true });
  const to = `back+b-${mail.report_token}@foyer.example`;
  const raw = buildReturn(mail.report_token, mail.recipient);
  await expect(transport.sendMail({ envelope: { from: "", to }, raw })).rejects.toThrow("550");
  transport.close();
  await returned.close();
});
