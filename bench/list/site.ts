import { pino } from "pino";
import { hashPassword } from "#server/accounts/password.ts";
import { insertAccount } from "#server/accounts/store.ts";
import { createApp } from "#server/app.ts";
import { LOCAL_SENDER } from "#server/config.ts";
import { openChangeFeed } from "#server/db/changes.ts";
import { applyMigrations } from "#server/db/migrate.ts";
import { createPool } from "#server/db/pool.ts";
import { createLocalStorage } from "#server/files/storage.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import { article } from "#test/article.ts";

/** The server of bench/list.ts, in a process of its own: the product with one more model and no pages. */
interface Start {
  connection: { host: string; port: number; user: string; database: string };
  dataDir: string;
  articleSql: string;
}

const PASSWORD = "Correct-Horse-1";

async function start({ connection, dataDir, articleSql }: Start): Promise<void> {
  const log = pino({ level: "warn" });
  const onError = (error: Error) => log.warn({ err: error }, "a connection broke");
  const pool = createPool(connection, { name: "foyer", max: 12, onError });
  await applyMigrations(pool);
  await pool.query(articleSql);
  await insertAccount(pool, {
    username: "bench",
    email: "bench@example.org",
    passwordHash: await hashPassword(PASSWORD),
    level: 999,
  });
  const feed = await openChangeFeed(connection, log);
  const app = await createApp({
    config: {
      dataDir,
      publicUrl: undefined,
      trustProxy: false,
      ownerEmail: undefined,
      isDevelopment: false,
      mailFrom: LOCAL_SENDER,
    },
    database: { pool, exportPool: pool, feed },
    declarations: [...DECLARED, article],
    storage: createLocalStorage(dataDir),
    openAssets: async () => ({
      isDevelopment: false,
      getTemplate: async () => "",
      getRender: async () => () => ({ head: "", body: "", state: "" }),
    }),
    log,
    now: () => new Date(),
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const answer = await app.inject({
    method: "POST",
    url: "/api/users/login/",
    payload: { username: "bench", password: PASSWORD },
  });
  const { rows } = await pool.query("SELECT id FROM content_type WHERE model_name = 'article'");
  process.send?.({ url, token: answer.json().tokens.access_token, contentTypeId: rows[0].id });
}

process.on("message", (message) => {
  if (message === "usage") {
    const { user, system } = process.cpuUsage();
    process.send?.({ memoryBytes: process.memoryUsage.rss(), cpuUs: user + system });
  } else void start(message as Start);
});
