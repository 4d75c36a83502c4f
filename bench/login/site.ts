import { monitorEventLoopDelay } from "node:perf_hooks";
import { pino } from "pino";
import { openAccountDeps } from "#server/accounts/open.ts";
import { hashPassword } from "#server/accounts/passwords/hashing.ts";
import { createAccounts } from "#server/accounts/service.ts";
import { insertAccount } from "#server/accounts/store.ts";
import { loadSigningKeys, toFixedRing } from "#server/accounts/tokens/key-ring.ts";
import { createApp } from "#server/app.ts";
import { openMemoryCounters } from "#server/base/counters.ts";
import { LOCAL_SENDER } from "#server/config.ts";
import { openChangeFeed } from "#server/db/change-feed.ts";
import { applyMigrations } from "#server/db/migrate.ts";
import { createPool } from "#server/db/pool.ts";
import { createRequireLevel } from "#server/http/bearer.ts";
import { DECLARED } from "#server/models/declared/all.ts";

/**
 * The server of bench/login.ts, in a process of its own: the product without pages, with an empty route behind the same check
 * of tokens, a clock that can be put forward past the limits, and an eye on its own event loop.
 */
export interface Start {
  connection: { host: string; port: number; user: string; database: string };
  dataDir: string;
  usernames: string[];
  password: string;
}

const EMPTY_PATH = "/bench/empty/";
const LOOP_RESOLUTION_MS = 2;
const WINDOW_MS = 16 * 60 * 1000;

const log = pino({ level: "warn" });
let forwardMs = 0;
let loop: ReturnType<typeof monitorEventLoopDelay> | undefined;

async function start({ connection, dataDir, usernames, password }: Start): Promise<void> {
  const onError = (error: Error) => log.warn({ err: error }, "a connection broke");
  const pool = createPool(connection, { name: "foyer", max: 12, onError });
  await applyMigrations(pool);
  const passwordHash = await hashPassword(password);
  for (const username of usernames)
    await insertAccount(pool, { username, email: `${username}@example.org`, passwordHash, level: 1 });
  const feed = await openChangeFeed(connection, log);
  const now = () => new Date(Date.now() + forwardMs);
  const app = await createApp({
    config: {
      dataDir,
      publicUrl: undefined,
      trustProxy: true,
      ownerEmail: undefined,
      mailFrom: LOCAL_SENDER,
      auditRetentionMonths: 24,
      isDevelopment: false,
    },
    database: { pool, exportPool: pool, feed },
    declarations: DECLARED,
    openAssets: async () => ({
      isDevelopment: false,
      getTemplate: async () => "",
      getRenderer: async () => ({
        getScreenModule: () => "",
        render: () => ({ head: "", body: "", state: "" }),
      }),
      getStyles: async () => ({ html: "", inline: [] }),
    }),
    log,
    now,
  });
  const keys = toFixedRing(await loadSigningKeys(dataDir));
  const accounts = createAccounts(
    openAccountDeps({
      pool,
      feed,
      keys,
      mail: { queue: async () => undefined },
      log,
      now,
      steadyMs: () => performance.now(),
      openCounter: openMemoryCounters(() => performance.now()),
    }),
  );
  app.get(EMPTY_PATH, { preHandler: createRequireLevel(accounts.authenticate)(0) }, async () => ({}));
  process.send?.({ url: await app.listen({ port: 0, host: "127.0.0.1" }) });
}

function startWatch(): void {
  loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
}

/** The histogram counts the interval of its own timer in. */
function readWatch(): number {
  loop?.disable();
  return (loop?.percentile(99) ?? Number.NaN) / 1e6 - LOOP_RESOLUTION_MS;
}

process.on("message", (message) => {
  if (message === "watch") startWatch();
  else if (message === "delay") process.send?.({ p99Ms: readWatch() });
  else if (message === "forward") forwardMs += WINDOW_MS;
  else void start(message as Start);
});
