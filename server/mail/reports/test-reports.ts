import { withTransaction } from "#server/db/transaction.ts";
import { asLogOwner } from "#test/database.ts";
import { createMailRules } from "../alarms/rules.ts";
import { openTestOutbox } from "../outbox/test-outbox.ts";
import type { ReportedEvent, ReportSource } from "./report-source.ts";
import { createReportIntake, createReportReader, type ReportReader } from "./reports.ts";

/** A way in whose reports are their events as JSON: what stands behind the sources is tried with it. */
function createPlainSource(name: string): ReportSource {
  return {
    name,
    bodyMaxBytes: 100_000,
    async verify(raw) {
      return JSON.parse(raw.toString());
    },
    read: (content) => content as ReportedEvent[], // tests write them
  };
}

/** Nothing is published: rules are read from the database each time. */
const NO_FEED = { subscribe: () => undefined, isLive: () => false };

/**
 * The outbox and everything behind it on a database of its own, with four ways in of which `returned` proves nothing.
 * `isAccepted`: none of them reports mails that arrived.
 */
export async function openTestReports({ isAccepted = false } = {}) {
  const outbox = await openTestOutbox();
  const { pool, now, log, suppressions } = outbox;
  const staff = new Set<string>();
  const sources = ["ses", "signed", "postmark", "returned"].map(createPlainSource);
  const rules = createMailRules(NO_FEED);
  const intake = createReportIntake({ pool, log, now });
  const reader: ReportReader = createReportReader({
    pool,
    feed: NO_FEED as never, // nothing is published: tests read when they want
    sources,
    suppressions,
    rules,
    isStaffAddress: async (_db, key) => staff.has(key),
    isAccepted,
    log,
    now,
  });

  return {
    ...outbox,
    intake,
    reader,
    rules,
    staff,
    /** A mail that was handed over, as what became of it is looked at. */
    async sendMail(recipient = "ada@foyer.example", kind: "test" | "contact_acknowledgement" = "test") {
      const contactMessageId = 0;
      if (kind === "test") await outbox.mail.queue(pool, { kind, recipient, language: "en" });
      else await outbox.mail.queue(pool, { kind, recipient, language: "en", contactMessageId });
      const { rows } = await pool.query<{ id: number; report_token: string; message_id: string }>(
        `UPDATE mail_message SET status = 'sent', sent_at = $1, handed_over_at = $1, delivery_state = 'sent'
         WHERE id = (SELECT max(id) FROM mail_message) RETURNING id, report_token, message_id`,
        [now()],
      );
      const [row] = rows;
      if (!row) throw new Error("the mail was not queued");
      return { ...row, recipient };
    },
    /** A report as a source sends it. */
    async report(name: string, key: string, events: readonly ReportedEvent[]) {
      await intake.store(name, { key, content: events });
    },
    async read(table: "mail_bounce" | "mail_complaint" | "mail_suppression" | "mail_message" | "mail_event") {
      const { rows } = await pool.query<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY id`);
      return rows;
    },
    within: <Answer>(work: Parameters<typeof withTransaction<Answer>>[1]) => withTransaction(pool, work),
    async empty() {
      await asLogOwner(
        pool,
        `DELETE FROM mail_event; DELETE FROM mail_report; DELETE FROM mail_source; DELETE FROM audit_entry; DELETE FROM mail_alarm;
         DELETE FROM mail_rules; INSERT INTO mail_rules DEFAULT VALUES`,
      );
      await outbox.empty();
      staff.clear();
    },
  };
}

export type TestReports = Awaited<ReturnType<typeof openTestReports>>;

/** A permanent return of a mail, by its secret. */
export function buildBounce(
  mail: { report_token: string; recipient: string },
  more: Partial<ReportedEvent> = {},
): ReportedEvent {
  return {
    kind: "bounced",
    key: `bounce of ${mail.report_token}`,
    occurredAt: "2026-05-01T10:00:01.000Z",
    recipient: mail.recipient,
    mail: { reportToken: mail.report_token },
    bounce: { type: "Permanent", subtype: "NoEmail" },
    statusCode: "5.1.1",
    diagnostic: "smtp; 550 5.1.1 user unknown",
    ...more,
  };
}

export function buildComplaint(
  mail: { report_token: string; recipient: string },
  feedbackType: string | null,
  candidates = 1,
): ReportedEvent {
  return {
    kind: "complained",
    key: `complaint of ${mail.report_token}`,
    occurredAt: null,
    recipient: mail.recipient,
    mail: { reportToken: mail.report_token },
    complaint: { feedbackType, userAgent: null, candidates },
  };
}
