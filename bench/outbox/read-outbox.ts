import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { findRunning } from "#server/db/embedded/connection.ts";
import { createPool } from "#server/db/pool.ts";

const EMPTY_TIMEOUT_MS = 120_000;

/** An account of the bench with the mails that were queued for it. */
export interface AccountMails {
  username: string;
  mails: { message_id: string; status: string; attempts: number; response: string | null }[];
}

/** Waits until nothing is left to send, and reads what every account got. @throws Error when something stays. */
export async function readWhenSent(pool: Pick<pg.Pool, "query">): Promise<AccountMails[]> {
  const deadline = performance.now() + EMPTY_TIMEOUT_MS;
  for (;;) {
    const { rows } = await pool.query<{ waiting: number }>(
      "SELECT count(*)::int AS waiting FROM mail_message WHERE status IN ('pending', 'sending')",
    );
    if (rows[0]?.waiting === 0) break;
    if (performance.now() > deadline) throw new Error(`${rows[0]?.waiting} mails are still waiting`);
    await sleep(50);
  }
  const { rows } = await pool.query<AccountMails>(
    `SELECT username, (SELECT coalesce(json_agg(json_build_object('message_id', message_id, 'status', status,
                                'attempts', attempts, 'response', response) ORDER BY id), '[]')
                       FROM mail_message WHERE user_id = account_user.id) AS mails
     FROM account_user WHERE username LIKE 'bench\\_%' ORDER BY id`,
  );
  return rows;
}

/** The same of the server that runs on a data folder. */
export async function readFolderWhenSent(dataDir: string): Promise<AccountMails[]> {
  const running = await findRunning(dataDir);
  if (!running) throw new Error("no server runs on the data folder");
  const pool = createPool(running, { name: "foyer bench", max: 1, onError: () => undefined });
  try {
    return await readWhenSent(pool);
  } finally {
    await pool.end();
  }
}
