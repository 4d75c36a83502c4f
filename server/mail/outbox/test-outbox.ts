import { withTransaction } from "#server/db/transaction.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { composeMail } from "../compose.ts";
import type { OutgoingMail } from "../kind.ts";
import { createForgetPerson } from "../retention.ts";
import { createMailSecrets } from "../secrets.ts";
import { createMailService } from "../service.ts";
import type { Suppression } from "../suppressions/suppression-store.ts";
import { createSuppressions, toSystemAuthor } from "../suppressions/suppressions.ts";
import { SITE } from "../test-mails.ts";
import { createReturnPath, toReturnPathServer } from "./return-path.ts";
import type { MailTransport } from "./transports.ts";
import { createOutboxWorker, type OutboxWorker, type WorkerDeps } from "./worker.ts";

const SECRET = Buffer.alloc(32, 7);
const SENDER = { from: { name: "Ada's site", address: "site@foyer.example" }, bounces: "back@foyer.example" };
export const CODE = "271828";

/** Log lines as JSON, so that a test can say what none of them holds. */
function createMemoryLog() {
  const lines: string[] = [];
  const write = (details: object, message: string) =>
    void lines.push(
      JSON.stringify({ ...details, message }, (_key, value) =>
        value instanceof Error ? String(value) : value,
      ),
    );
  return { lines, debug: write, info: write, warn: write, error: write };
}

/** What `pool.query` is called with: a text and its values, or one object with both. */
export type QueryCall = [text: string | { text: string }, values?: unknown[]];

export const toSql = ([text]: QueryCall): string => (typeof text === "string" ? text : text.text);

/** An outbox on a clock of its own. `given`: of another process of the site; left out: a new database. */
export async function openTestOutbox(given?: TestDatabase) {
  const database = given ?? (await createTestDatabase());
  const { pool } = database;
  const clock = { now: Date.parse("2026-05-01T10:00:00Z") };
  const now = () => new Date(clock.now);
  const log = createMemoryLog();
  const suppressions = createSuppressions({
    getContentTypeId: () => null,
    secrets: createMailSecrets([SECRET]),
    findProtectedAddresses: async () => new Set(),
    now,
  });
  const mail = {
    ...createMailService({ secrets: [SECRET], from: SENDER.from, now }),
    forgetPerson: createForgetPerson({ secrets: createMailSecrets([SECRET]), now }),
  };
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO account_user (username, email, password_hash, access_level_id)
     SELECT 'ada', 'ada@foyer.example', 'x', min(id) FROM access_level
     ON CONFLICT (lower(username)) DO UPDATE SET username = excluded.username RETURNING id`,
  );
  const userId = rows[0]?.id ?? 0;

  /** What stands for the settings of a mail server. */
  const toServer = (smtpUrl = "smtp://mail.example") =>
    toReturnPathServer(createMailSecrets([SECRET]), {
      smtpUrl,
      from: SENDER.from.address,
      bounces: SENDER.bounces,
    });

  const toDeps = (transport: MailTransport, more: Partial<WorkerDeps> = {}): WorkerDeps => ({
    pool,
    secrets: createMailSecrets([SECRET]),
    transport,
    sender: SENDER,
    returnPath: createReturnPath({ pool, server: toServer(), wanted: "verp", now, log }),
    compose: composeMail,
    site: {
      getOwner: async () => ({ ...SITE, name: "Ada" }),
      getOrigin: () => "https://site.test",
    },
    log,
    now,
    random: () => 0,
    ...more,
  });

  return {
    pool,
    database,
    clock,
    now,
    log,
    mail,
    suppressions,
    suppress: (wanted: Omit<Suppression, "createdById">) =>
      withTransaction(pool, (db) => suppressions.suppress(db, wanted, toSystemAuthor("test"))),
    userId,
    secrets: createMailSecrets([SECRET]),
    toDeps,
    toServer,
    buildCode: (recipient = "ada@foyer.example", code = CODE): OutgoingMail => ({
      kind: "verification_code",
      recipient,
      language: "en",
      userId,
      username: "ada",
      code,
      expiresAt: new Date(clock.now + 600_000).toISOString(),
    }),
    async insertContactMessage(challenge = "c1"): Promise<number> {
      const { rows } = await pool.query<{ id: number }>(
        `INSERT INTO contact_message (name, email, subject, message, language, challenge_id)
         VALUES ('Işıl', 'isil@foyer.example', 'Hello', 'A text.', 'tr', $1) RETURNING id`,
        [challenge],
      );
      return rows[0]?.id ?? 0;
    },
    /** Rows of the outbox, oldest first. */
    async readRows() {
      const { rows } = await pool.query<Record<string, unknown>>("SELECT * FROM mail_message ORDER BY id");
      return rows;
    },
    async empty() {
      await pool.query(
        "DELETE FROM mail_message; DELETE FROM mail_suppression; DELETE FROM mail_return_path",
      );
      log.lines.length = 0;
    },
    close: () => database.close(),
  };
}

export type TestOutbox = Awaited<ReturnType<typeof openTestOutbox>>;

/** Sends all that is due by the clock, and what that makes due. */
export async function sendDue(
  deps: WorkerDeps,
  worker: OutboxWorker = createOutboxWorker(deps),
): Promise<void> {
  for (;;) {
    const leased = await worker.lease(deps.pool);
    if (leased.length === 0) return;
    worker.begin(leased);
    await worker.settle();
  }
}
