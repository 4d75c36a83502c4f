import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import { pino } from "pino";
import type { TestConnection } from "#test/test-server.ts";
import { readCpuUs } from "../load/process-usage.ts";

/** A checkout's outbox in a process of its own: what waits in a fresh database is sent, as fast as it goes. */
export interface OutboxRun {
  /** Of the checkout. */
  root: string;
  /** Empty. */
  connection: TestConnection;
  smtpUrl: string;
  mails: number;
}

export interface OutboxTimes {
  /** From the outbox's start to the last mail's row. */
  seconds: number;
  /** Of this process and of PostgreSQL, user and system. */
  cpuSeconds: number;
}

/** As `npm start` opens them. */
const CONNECTIONS = 12;
const SENDER = { name: "Foyer", address: "site@foyer.example" };

/** CPU of PostgreSQL's processes that run now, in seconds. */
function readDatabaseCpu(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + readCpuUs(pid) / 1e6, 0);
}

/** All connections' processes and those that write for them; what cleans up or helps a query comes and goes. */
async function listDatabasePids(pool: pg.Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type NOT IN ('autovacuum worker', 'parallel worker')",
  );
  return rows.map(({ pid }) => pid);
}

/** The checkout's modules, whose own `#server/…` lead into itself. */
function createLoader(root: string) {
  const load = (path: string) => import(pathToFileURL(join(root, path)).href);
  return async () => ({
    // In an older checkout the first of the two has all of it.
    ...((await load("server/accounts/tokens/keys.ts")) as typeof import("#server/accounts/tokens/keys.ts")),
    ...((await load("server/accounts/tokens/key-ring.ts").catch(
      () => ({}),
    )) as typeof import("#server/accounts/tokens/key-ring.ts")),
    ...((await load("server/db/change-feed.ts")) as typeof import("#server/db/change-feed.ts")),
    ...((await load("server/db/migrate.ts")) as typeof import("#server/db/migrate.ts")),
    ...((await load("server/db/pool.ts")) as typeof import("#server/db/pool.ts")),
    ...((await load("server/mail/outbox/outbox.ts")) as typeof import("#server/mail/outbox/outbox.ts")),
    ...((await load("server/mail/service.ts")) as typeof import("#server/mail/service.ts")),
    ...((await load("server/open-mail.ts")) as typeof import("#server/open-mail.ts")),
  });
}

async function run({ root, connection, smtpUrl, mails }: OutboxRun): Promise<OutboxTimes> {
  const product = await createLoader(root)();
  const log = pino({ level: "warn" });
  const now = () => new Date();
  const dataDir = await mkdtemp(join(tmpdir(), "foyer-bench-outbox-"));
  const pool = product.createPool(connection, {
    name: "foyer",
    max: 12,
    onError: (error) => log.warn(error),
  });
  await product.applyMigrations(pool);
  const secrets = product.deriveSecrets(await product.loadSigningKeys(dataDir), product.MAIL_SECRET);
  const mail = product.createMailService({ secrets, from: SENDER, now });
  for (let number = 0; number < mails; number += 1)
    await mail.queue(pool, { kind: "test", recipient: `reader${number}@example.org`, language: "en" });
  const feed = await product.openChangeFeed(connection, log);
  const { worker } = await product.openMailDeps({
    config: {
      dataDir,
      smtpUrl,
      mailFrom: SENDER,
      mailBounces: SENDER.address,
      mailReturnPath: "verp",
      mailReports: {
        sesTopics: [],
        sesConfigurationSet: undefined,
        postmark: undefined,
        mailgunSigningKey: undefined,
        webhookSecrets: [],
        listen: undefined,
        maildir: undefined,
        feedbackAddress: undefined,
      },
    },
    pool,
    log,
    now,
    getOrigin: () => "http://foyer.example",
  });
  const outbox = product.createOutbox({ ...worker, feed });
  // As many connections as it will use: their processes are counted from the begin.
  await Promise.all(Array.from({ length: CONNECTIONS }, () => pool.query("SELECT pg_sleep(0.1)")));
  const pids = await listDatabasePids(pool);
  const [begin, cpu, databaseCpu] = [performance.now(), process.cpuUsage(), readDatabaseCpu(pids)];
  outbox.start();
  for (;;) {
    const { rows } = await pool.query(
      "SELECT 1 FROM mail_message WHERE status IN ('pending', 'sending') LIMIT 1",
    );
    if (rows.length === 0) break;
    await sleep(50);
  }
  const seconds = (performance.now() - begin) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const cpuSeconds = (user + system) / 1e6 + readDatabaseCpu(pids) - databaseCpu;
  await outbox.close();
  await feed.close();
  await pool.end();
  await rm(dataDir, { recursive: true, force: true });
  return { seconds, cpuSeconds };
}

process.once("message", async (message) => process.send?.(await run(message as OutboxRun)));
