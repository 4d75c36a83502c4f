import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { type Logger, pino } from "pino";
import { loginAnswer, privacySettings } from "#contract/accounts/accounts.ts";
import type { VersionAnswer } from "#contract/health.ts";
import { insertAccount } from "#server/accounts/store.ts";
import { createApp } from "#server/app.ts";
import type { TrustProxy } from "#server/base/proxies.ts";
import { LOCAL_SENDER } from "#server/config.ts";
import { type ChangeFeed, openChangeFeed } from "#server/db/change-feed.ts";
import { createPool } from "#server/db/pool.ts";
import type { FileStores } from "#server/files/stores.ts";
import type { Finding, SendingDomain } from "#server/health/service.ts";
import type { OtlpConfig } from "#server/http/otlp-settings.ts";
import type { PageAssets } from "#server/http/pages/page-assets.ts";
import type { App } from "#server/http/zod.ts";
import type { Launched } from "#server/launch/launched.ts";
import type { MailWays } from "#server/mail/open.ts";
import type { ModelDeclaration } from "#server/models/declare.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import type { FloorOptions } from "#server/open-floor.ts";
import type { ParseMarkdown } from "#server/site/markdown.ts";
import type { Channel } from "#server/socket/channel.ts";
import type { LiveRooms } from "#server/voice/deps.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { QUICK_PASSWORDS } from "./quick-passwords.ts";

/** The whole server on a database of its own, with pages that show their data as JSON. */
export interface TestApp {
  app: App;
  database: TestDatabase;
  /** Of two connections, as in the product. */
  exportPool: pg.Pool;
  feed: ChangeFeed;
  dataDir: string;
  /** Signs a new account of a level in and gives the header of its requests. */
  signInAs(level: number, username?: string): Promise<TestPerson>;
  /** Listens on loopback, and gives the address without a slash. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Somebody who is signed in. */
export interface TestPerson {
  authorization: string;
  accessToken: string;
  refreshToken: string;
  userId: number;
  username: string;
  email: string;
  password: string;
}

const PASSWORD = "Correct-Horse-1";
let passwordHash: string | undefined;

/** With what would end an element of other kinds. */
export const PLAIN_STYLE = "@layer plain; /* 1 < 2 */";

/** Pages without a build: the state is what the page was drawn from. */
export const PLAIN_ASSETS: PageAssets = {
  isDevelopment: false,
  getTemplate: async () =>
    '<html lang="<!--lang-->"><!--head--><!--styles--><!--look--><!--body--><!--state--></html>',
  getRenderer: async () => ({
    getScreenModule: () => "",
    render: (request) => ({
      head: [`${request.origin}${request.path}`, ...request.site.pages.map(({ title }) => title)].join("\n"),
      body: `${request.prefix}<a class="file" href="/files/a.pdf">A</a><a href="https://elsewhere.example/">B</a><script type="module" src="/a.js"></script>`,
      state: JSON.stringify(request.data),
    }),
  }),
  getStyles: async () => ({
    html: `<style>${PLAIN_STYLE}</style><link rel="stylesheet" href="/assets/plain.css" disabled>`,
    inline: [PLAIN_STYLE],
  }),
};

/** Those that aren't undefined. */
const pickGiven = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };

export async function createTestApp(
  options: {
    extraModels?: readonly ModelDeclaration[];
    setUpSql?: string;
    now?: () => Date;
    /** Without it `now` is what limits go by. */
    steadyMs?: () => number;
    openCluster?: FloorOptions["openCluster"];
    /** Null: the site goes by what it is asked as. */
    publicUrl?: string | null;
    trustProxy?: TrustProxy;
    logRequests?: boolean;
    keysSecret?: string;
    ownerEmail?: string;
    /** Left out: a program that isn't there. */
    chromiumPath?: string;
    apiDocsLevel?: number;
    secondFactorLevel?: number;
    isDevelopment?: boolean;
    log?: Logger;
    channels?: readonly Channel[];
    liveRooms?: LiveRooms;
    mailWays?: MailWays;
    /** In place of a new one; closed with the server. */
    database?: TestDatabase;
    /** The same. */
    dataDir?: string;
    /** Left out: the data folder. */
    stores?: FileStores;
    checkRelay?: () => Promise<Finding>;
    isStopping?: () => boolean;
    metricsToken?: string;
    launched?: Launched;
    processLabel?: string;
    otlp?: OtlpConfig;
    sendingDomain?: SendingDomain;
    lookForVersion?: () => Promise<VersionAnswer>;
    parseMarkdown?: ParseMarkdown;
  } = {},
): Promise<TestApp> {
  const { mailWays, liveRooms, sendingDomain, lookForVersion, parseMarkdown, checkRelay, isStopping } =
    options;
  const publicUrl = options.publicUrl === null ? undefined : (options.publicUrl ?? "https://site.test");
  const database = options.database ?? (await createTestDatabase());
  if (options.setUpSql) await database.pool.query(options.setUpSql);
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "foyer-app-")));
  const log = options.log ?? pino({ level: "silent" });
  const feed = await openChangeFeed(database.connection, log);
  const exportPool = createPool(database.connection, { name: "test exports", max: 2, onError: () => {} });
  const app = await createApp({
    config: {
      dataDir,
      publicUrl,
      trustProxy: options.trustProxy ?? false,
      logRequests: options.logRequests ?? false,
      ownerEmail: options.ownerEmail,
      chromiumPath: options.chromiumPath ?? join(dataDir, "no-chromium"),
      isDevelopment: options.isDevelopment ?? false,
      mailFrom: LOCAL_SENDER,
      auditRetentionMonths: 24,
      ...pickGiven({
        apiDocsLevel: options.apiDocsLevel,
        secondFactorLevel: options.secondFactorLevel,
        metricsToken: options.metricsToken,
        launched: options.launched,
        otlp: options.otlp,
        keysSecret: options.keysSecret,
      }),
    },
    database: { pool: database.pool, exportPool, feed },
    declarations: [...DECLARED, ...(options.extraModels ?? [])],
    ...(options.stores && { stores: options.stores }),
    openAssets: async () => PLAIN_ASSETS,
    log,
    now: options.now ?? (() => new Date()),
    // A clock that a test moves moves limits too.
    ...((options.steadyMs ?? options.now) && {
      steadyMs: options.steadyMs ?? (() => (options.now?.() ?? new Date()).getTime()),
    }),
    channels: options.channels ?? [],
    ...pickGiven({
      openCluster: options.openCluster,
      processLabel: options.processLabel,
      mailWays,
      liveRooms,
      sendingDomain,
      lookForVersion,
      parseMarkdown,
      checkRelay,
      isStopping,
    }),
    patience: 100,
    passwords: QUICK_PASSWORDS,
  });
  await app.ready();

  return {
    app,
    database,
    exportPool,
    feed,
    dataDir,
    async signInAs(level, username = `level_${level}`) {
      const email = `${username}@example.org`;
      await database.pool.query(
        `INSERT INTO access_level (level, name) VALUES ($1, '{"en":"Level","tr":"Düzey"}') ON CONFLICT DO NOTHING`,
        [level],
      );
      passwordHash ??= await QUICK_PASSWORDS.hash(PASSWORD);
      // Others call them by a name that tests know, not by their number.
      const privacy = privacySettings.parse({ shown_name: username });
      await insertAccount(database.pool, { username, email, passwordHash, level, privacy });
      const answer = await app.inject({
        method: "POST",
        url: "/api/users/login/",
        payload: { username, password: PASSWORD },
      });
      const { tokens, user } = loginAnswer.parse(answer.json());
      const { access_token: accessToken, refresh_token: refreshToken } = tokens;
      const authorization = `Bearer ${accessToken}`;
      return {
        authorization,
        accessToken,
        refreshToken,
        userId: user.id,
        username,
        email,
        password: PASSWORD,
      };
    },
    listen: () => app.listen({ host: "127.0.0.1", port: 0 }),
    async close() {
      await app.close();
      await feed.close();
      await exportPool.end();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
