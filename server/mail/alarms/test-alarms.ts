import type { ReportedEvent } from "../reports/report-source.ts";
import { buildBounce, buildComplaint, openTestReports } from "../reports/test-reports.ts";
import { type AlarmDeps, createMailAlarms } from "./alarms.ts";

type Staff = Awaited<ReturnType<AlarmDeps["listStaff"]>>[number];

/** Reports, outbox and alarms on a database of their own, with two people to notify. */
export async function openTestAlarms() {
  const reports = await openTestReports();
  const { pool, now, mail, rules } = reports;
  const people: Staff[] = [];
  const deps: AlarmDeps = {
    pool,
    rules,
    mail,
    listStaff: async () => people,
    isAccepted: true,
    addressSecrets: [],
    getContentTypeId: () => 7,
    now,
  };
  let key = 0;

  async function reportEach(
    count: number,
    build: (mail: { report_token: string; recipient: string }) => ReportedEvent,
  ) {
    const mails = [];
    for (let i = 0; i < count; i++) {
      key += 1;
      const sent = await reports.sendMail(`person-${key}@foyer.example`);
      await reports.report("ses", `report ${key}`, [build(sent)]);
      mails.push(sent);
    }
    await reports.reader.readAll();
    return mails;
  }

  return {
    ...reports,
    people,
    alarms: createMailAlarms(deps),
    /** Another process on the same database. */
    createOther: () => createMailAlarms(deps),
    /** So many mails, each to an address of its own, that come back. */
    returnMails: (count: number, more: Partial<ReportedEvent> = {}) =>
      reportEach(count, (sent) => buildBounce(sent, more)),
    complainOf: (count: number, feedbackType: string | null = "abuse") =>
      reportEach(count, (sent) => buildComplaint(sent, feedbackType)),
    /** Mails that arrived, as far as anybody knows. */
    async sendMany(count: number) {
      await pool.query(
        `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, status, sent_at,
           handed_over_at, delivery_state)
         SELECT key, key, key, 'test', key || '@x.test', key || '@x.test', 'en', '{}', 'sent', $2, $2, 'sent'
         FROM (SELECT gen_random_uuid()::text AS key FROM generate_series(1, $1)) AS random`,
        [count, now()],
      );
    },
    /** A mail that people can do without. */
    async queueReceipt(recipient: string) {
      const contactMessageId = await reports.insertContactMessage(recipient);
      await mail.queue(pool, {
        kind: "contact_acknowledgement",
        recipient,
        language: "en",
        contactMessageId,
      });
    },
    async readAlarms() {
      const { rows } = await pool.query<Record<string, unknown>>("SELECT * FROM mail_alarm ORDER BY id");
      return rows;
    },
    async empty() {
      await reports.empty();
      await pool.query("DELETE FROM contact_message");
      people.length = 0;
      people.push(
        { email: "owner@foyer.example", language: "tr", userId: null },
        { email: "ada@foyer.example", language: "en", userId: reports.userId },
      );
    },
  };
}

export type TestAlarms = Awaited<ReturnType<typeof openTestAlarms>>;
