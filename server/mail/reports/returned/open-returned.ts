import type pg from "pg";
import type { ReportIntake } from "../intake.ts";
import { toRefusalText } from "../refusals.ts";
import { createInbound, type Inbound } from "./inbound.ts";
import { createMaildirReader, type MaildirReader } from "./maildir.ts";
import { findTokenIn } from "./report-token.ts";
import { returnedSource } from "./returned-source.ts";

const READ_EVERY_MS = 5_000;
/** Servers report one mail a few times; whoever has its return path could go on for ever. */
const REPORTS_PER_MAIL_MAX = 20;

export interface ReturnedMailOptions {
  /** Where a listener takes returned mail by SMTP. */
  listen: { host: string; port: number } | undefined;
  /** A folder into which a mail server of the machine puts it. */
  maildir: string | undefined;
  /** Where providers send complaints. */
  feedbackAddress: string | undefined;
  /** Return paths are made of it. */
  bounces: string;
  pool: pg.Pool;
  intake: Pick<ReportIntake, "store" | "refuse">;
  log: Record<"info" | "warn" | "error", (details: object, message: string) => void>;
}

/** Whether the token is a mail's of ours, and that mail has not been reported of too often. */
async function isWanted(pool: pg.Pool, token: string): Promise<boolean> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT (SELECT count(*)::integer FROM mail_event WHERE message_id = mail.id AND source = 'returned') AS count
     FROM mail_message AS mail WHERE report_token = $1`,
    [token],
  );
  return rows[0] !== undefined && rows[0].count < REPORTS_PER_MAIL_MAX;
}

/** Takes mail that comes back, by the ways that are set up, until it is closed. @throws where the listener's port is taken. */
export async function openReturnedMail(options: ReturnedMailOptions): Promise<{ close(): Promise<void> }> {
  const { listen, maildir, feedbackAddress, bounces, pool, intake, log } = options;
  const known = [feedbackAddress, `postmaster${bounces.slice(bounces.lastIndexOf("@"))}`].map((address) =>
    address?.toLowerCase(),
  );

  /** What proves nothing is dropped with its reason: nobody can send it better. */
  async function take(raw: Buffer, recipient: string | undefined): Promise<void> {
    const report = await returnedSource.prove(raw, recipient === undefined ? {} : { recipient });
    if (!report) return;
    if (report.token === null) return intake.refuse("returned", toRefusalText("namesNoMail"));
    if (!(await isWanted(pool, report.token)))
      return intake.refuse("returned", toRefusalText("unknownSecret"));
    await intake.store("returned", report);
  }

  async function isKnownRecipient(address: string): Promise<boolean> {
    if (known.includes(address.toLowerCase())) return true;
    const token = findTokenIn(address);
    return token !== undefined && isWanted(pool, token);
  }

  const open: (Inbound | MaildirReader)[] = [];
  if (listen) {
    const inbound = createInbound({ ...listen, isKnownRecipient, take, log });
    const port = await inbound.listen();
    open.push(inbound);
    log.info({ host: listen.host, port }, "returned mail is taken by SMTP");
  }
  if (maildir) {
    const reader = createMaildirReader({
      folder: maildir,
      take: (raw) => take(raw, undefined),
      log,
      everyMs: READ_EVERY_MS,
    });
    reader.start();
    open.push(reader);
    log.info({ folder: maildir }, "returned mail is read out of a folder");
  }
  return {
    async close() {
      await Promise.all(open.map((way) => way.close()));
    },
  };
}
