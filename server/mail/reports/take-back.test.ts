import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { ReportedEvent } from "./report-source.ts";
import { reopenReports } from "./report-store.ts";
import { buildBounce, buildComplaint, openTestReports, type TestReports } from "./test-reports.ts";

let reports: TestReports;
beforeAll(async () => {
  reports = await openTestReports();
});
afterAll(() => reports.close());
beforeEach(() => reports.empty());

/** Changes what was reported, as a better parser would read it, and reads it again. */
async function readAnew(name: string, key: string, events: readonly ReportedEvent[]): Promise<void> {
  await reports.pool.query("UPDATE mail_report SET content = $3 WHERE source = $1 AND report_key = $2", [
    name,
    key,
    JSON.stringify(events),
  ]);
  // What an older parser read is superseded.
  await reports.pool.query("UPDATE mail_event SET parser_version = 0");
  await reopenReports(reports.pool, "all");
  await reports.reader.readAll();
}
const TRANSIENT = { bounce: { type: "Transient", subtype: "MailboxFull" }, statusCode: "5.2.2" } as const;

test.each([
  ["it came back for the moment", TRANSIENT],
  ["it was delayed", { kind: "delayed" as const, bounce: undefined }],
])("what stopped mails is taken back (%s): nothing is lifted, and staff are asked", async (_what, change) => {
  const mail = await reports.sendMail();
  await reports.report("signed", "1", [buildBounce(mail)]);
  await reports.reader.readAll();
  const { bounce, ...plain } = buildBounce(mail, change as Partial<ReportedEvent>);
  for (const _ of ["once", "twice"]) {
    await readAnew("signed", "1", [{ ...plain, ...(bounce && { bounce }) }]);
    expect(await reports.read("mail_bounce")).toMatchObject([{ verdict: "ask", unsubscribed_by: "server" }]);
    expect(await reports.read("mail_suppression")).toMatchObject([{ scope: "all", source: "bounce" }]);
  }
});

test("staff are asked also of a complaint that is none any more", async () => {
  const mail = await reports.sendMail();
  await reports.report("signed", "1", [buildComplaint(mail, "abuse")]);
  await reports.reader.readAll();
  await readAnew("signed", "1", [buildComplaint(mail, "not-spam")]);
  expect(await reports.read("mail_complaint")).toMatchObject([{ verdict: "ask", feedback_type: "not-spam" }]);
  expect(await reports.read("mail_suppression")).toMatchObject([{ scope: "optional" }]);
});

test("nobody is asked where another mail's return holds the same stop", async () => {
  const [first, second] = [await reports.sendMail(), await reports.sendMail()];
  await reports.report("signed", "1", [buildBounce(first)]);
  await reports.report("signed", "2", [buildBounce(second)]);
  await reports.reader.readAll();
  await readAnew("signed", "1", [buildBounce(first, TRANSIENT)]);
  const verdicts = (await reports.read("mail_bounce")).map(({ verdict }) => verdict);
  expect(verdicts).toEqual(["none", "all"]);
});

test("nobody is asked where staff lifted it, or stopped it themselves", async () => {
  const mail = await reports.sendMail();
  await reports.report("signed", "1", [buildBounce(mail)]);
  await reports.reader.readAll();
  await reports.pool.query("UPDATE mail_suppression SET source = 'admin'");
  await readAnew("signed", "1", [buildBounce(mail, TRANSIENT)]);
  expect(await reports.read("mail_bounce")).toMatchObject([{ verdict: "none" }]);
  await reports.pool.query("DELETE FROM mail_suppression");
  await readAnew("signed", "1", [buildBounce(mail, { ...TRANSIENT, statusCode: "5.3.4" })]);
  expect(await reports.read("mail_bounce")).toMatchObject([{ verdict: "none", status_code: "5.3.4" }]);
});
