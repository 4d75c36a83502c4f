import { pino } from "pino";
import { hashPassword } from "#server/accounts/passwords/hashing.ts";
import { insertAccount } from "#server/accounts/store.ts";
import { createApp } from "#server/app.ts";
import { LOCAL_SENDER } from "#server/config.ts";
import { openChangeFeed } from "#server/db/change-feed.ts";
import { type Connection, createPool } from "#server/db/pool.ts";
import { openBuiltAssets, type PageAssets } from "#server/http/pages/page-assets.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import { benchWide } from "../console/wide.ts";
import { benchArticle } from "./article.ts";
import { PERSON } from "./person.ts";

/** The server of bench/admin.ts and bench/console.ts, in a process of its own: the product with two more models. */
export interface Start {
  connection: Connection;
  dataDir: string;
  /** Folder of a build, for its pages; undefined: the API alone. */
  distDir: string | undefined;
}

export interface Ready {
  url: string;
  token: string;
  contentTypeId: number;
  wideTypeId: number;
}

/** As `npm start` opens them. */
const POOL_MAX = 12;
const EXPORT_POOL_MAX = 2;
const STATEMENT_TIMEOUT_MS = 15_000;
/** A token of the bench must outlive it. */
const TOKEN_MINUTES = 24 * 60;

const NO_PAGES: PageAssets = {
  isDevelopment: false,
  getTemplate: async () => "",
  getRenderer: async () => ({ getScreenModule: () => "", render: () => ({ head: "", body: "", state: "" }) }),
  getStyles: async () => ({ html: "", inline: [] }),
};

async function start({ connection, dataDir, distDir }: Start): Promise<Ready> {
  const log = pino({ level: "warn" });
  const onError = (error: Error) => log.warn({ err: error }, "a connection broke");
  const open = (name: string, max: number, statementTimeoutMs?: number) =>
    createPool(connection, { name, max, onError, ...(statementTimeoutMs && { statementTimeoutMs }) });
  const pool = open("foyer", POOL_MAX, STATEMENT_TIMEOUT_MS);
  const passwordHash = await hashPassword(PERSON.password);
  await insertAccount(pool, {
    username: PERSON.username,
    email: "bench@example.org",
    passwordHash,
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
      auditRetentionMonths: 24,
      accessTokenMinutes: TOKEN_MINUTES,
    },
    database: { pool, exportPool: open("foyer exports", EXPORT_POOL_MAX), feed },
    declarations: [...DECLARED, benchArticle, benchWide],
    openAssets: async (app) => (distDir ? openBuiltAssets(app, distDir) : NO_PAGES),
    log,
    now: () => new Date(),
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const answer = await app.inject({
    method: "POST",
    url: "/api/users/login/",
    payload: PERSON,
  });
  const { rows } = await pool.query(
    "SELECT id FROM content_type WHERE app_label = 'bench' ORDER BY model_name",
  );
  const [article, wide] = rows;
  return {
    url,
    token: answer.json().tokens.access_token,
    contentTypeId: article.id,
    wideTypeId: wide.id,
  };
}

process.once("message", async (message) => process.send?.(await start(message as Start)));
