import type { Queryable } from "../../db/pool.ts";
import type { MailSecrets } from "../secrets.ts";
import type { ReturnPath, ReturnPathKind } from "./message.ts";

/** A server that refused once is asked again after this: its rules may be others by then. */
const ASK_AGAIN_MS = 24 * 60 * 60 * 1000;
const MAX_ANSWER_CHARS = 500;

/** What is remembered of a mail server that takes no other envelope sender than the mails' own. */
export interface ReturnPathRefusal {
  /** ISO moment of the first refusal. */
  refused_at: string;
  /** ISO moment of the last one. */
  asked_at: string;
  /** The server's words, without codes and addresses of people. */
  answer: string;
}

/** The refusal of the mail server that `server` stands for; undefined: it takes what it gets, or was never asked. */
export async function selectReturnPathRefusal(
  db: Queryable,
  server: string,
): Promise<ReturnPathRefusal | undefined> {
  const { rows } = await db.query<ReturnPathRefusal>(
    "SELECT refused_at, asked_at, answer FROM mail_return_path WHERE server = $1",
    [server],
  );
  return rows[0];
}

/** One server alone is remembered: whoever goes back to an older one lets it be asked anew. */
async function writeRefusal(db: Queryable, server: string, answer: string, now: Date): Promise<void> {
  await db.query(
    `WITH others AS (DELETE FROM mail_return_path WHERE server <> $1)
     INSERT INTO mail_return_path (server, refused_at, asked_at, answer) VALUES ($1, $2, $2, $3)
     ON CONFLICT (server) DO UPDATE SET asked_at = EXCLUDED.asked_at, answer = EXCLUDED.answer`,
    [server, now, answer.slice(0, MAX_ANSWER_CHARS)],
  );
}

/** Stands for the settings that a server's answer depends on, in a key of which the password can't be read. */
export function toReturnPathServer(
  secrets: Pick<MailSecrets, "toKey">,
  settings: { smtpUrl: string | undefined; from: string; bounces: string },
): string {
  return secrets.toKey("return path", settings.smtpUrl ?? "", settings.from, settings.bounces);
}

export interface ReturnPathDeps {
  pool: Queryable;
  /** Of `toReturnPathServer`. */
  server: string;
  /** `MAIL_RETURN_PATH`; `verp` falls back by itself. */
  wanted: ReturnPathKind;
  now: () => Date;
  log: Record<"warn" | "error", (details: object, message: string) => void>;
}

/**
 * `verp`, until the mail server refuses it; then the sender's address for a day, when the server is asked once more. It is
 * remembered in the database, so that a restart or a second process doesn't ask with every mail.
 */
export function createReturnPath({ pool, server, wanted, now, log }: ReturnPathDeps): ReturnPath {
  /** What this process knows to be in the table: a server that takes everything costs no statement after a mail. */
  let isRemembered = false;

  async function remember(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, "what the mail server said of return paths could not be written down");
    }
  }

  return {
    async choose() {
      if (wanted === "sender") return "sender";
      const refusal = await selectReturnPathRefusal(pool, server);
      isRemembered = refusal !== undefined;
      const askedAt = refusal && new Date(refusal.asked_at).getTime();
      return askedAt !== undefined && Math.abs(now().getTime() - askedAt) < ASK_AGAIN_MS ? "sender" : "verp";
    },
    async noteTaken() {
      if (!isRemembered) return;
      await remember(() => pool.query("DELETE FROM mail_return_path WHERE server = $1", [server]));
      isRemembered = false;
    },
    async noteRefused(answer) {
      if (!isRemembered)
        log.warn({ answer }, "the mail server takes only the sender's own address: returned mail goes there");
      await remember(() => writeRefusal(pool, server, answer, now()));
    },
  };
}
