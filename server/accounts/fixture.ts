import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import accepts from "@fastify/accepts";
import cookie from "@fastify/cookie";
import fastify, { type InjectOptions, type LightMyRequestResponse } from "fastify";
import { type LoginAnswer, loginAnswer } from "#contract/accounts/accounts.ts";
import { openMemoryCounters } from "#server/base/counters.ts";
import { openChangeFeed } from "#server/db/change-feed.ts";
import { createRequireLevel } from "#server/http/bearer.ts";
import { installErrorHandler } from "#server/http/error-handler.ts";
import { withZod } from "#server/http/zod.ts";
import { createMailService, type OutgoingMail } from "#server/mail/service.ts";
import { asLogOwner, createTestDatabase } from "#test/database.ts";
import { QUICK_PASSWORDS } from "#test/quick-passwords.ts";
import type { AnswerFloor } from "./answers.ts";
import { openAccountDeps } from "./open.ts";
import { createSuperuser } from "./owners.ts";
import type { Passwords } from "./passwords/hashing.ts";
import { createPasswordRules } from "./passwords/password-rules.ts";
import { registerAccountRoutes } from "./routes.ts";
import { createAccounts } from "./service.ts";
import { insertSetupLink } from "./setup-link.ts";
import { createLoginLimits } from "./sign-in/limits.ts";
import { insertAccount } from "./store.ts";
import { loadSigningKeys, toFixedRing } from "./tokens/key-ring.ts";

export const OWNER = { username: "Owner_1", email: "owner@example.org", password: "Correct-horse-1" };

/** Longer than any test moves the clock. */
const LINK_MS = 10 * 24 * 60 * 60 * 1000;
export const SETUP_TOKEN = "token-of-the-set-up-link";

export interface AuditRow {
  action_type: string;
  detail: string | null;
  user_id: number | null;
  username: string | null;
  ip_address: string | null;
  request_id: string | null;
}

/** Stands for hashing where calls are to meet in the database at once: the hash of a password is the password. */
export const PLAIN_PASSWORDS: Passwords = {
  hash: async (password) => password,
  verify: async (kept, password) => kept === password,
  verifyAgainstNothing: async () => false,
  isOutdated: () => false,
};

/** Hashing that counts what was asked of it. */
function createCountedPasswords(real: Passwords) {
  const counts = { known: 0, unknown: 0, hashed: 0 };
  const passwords: Passwords = {
    verify: (passwordHash, password) => {
      counts.known++;
      return real.verify(passwordHash, password);
    },
    verifyAgainstNothing: (password) => {
      counts.unknown++;
      return real.verifyAgainstNothing(password);
    },
    hash: (password) => {
      counts.hashed++;
      return real.hash(password);
    },
    isOutdated: real.isOutdated,
  };
  return { counts, passwords };
}

/** The cookies that an answer set, as the browser sends them back. */
export function toCookieHeader(answer: LightMyRequestResponse): string {
  return answer.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

interface Options {
  hasOwner?: boolean;
  passwords?: Passwords;
  /** Without the pause after a wrong password, and at once, unless a test is of these. */
  pauseMs?: number;
  answerFloor?: AnswerFloor;
  /** From which access level on a second factor is needed. */
  factorLevel?: number;
}

/** The routes of accounts on a database of their own, with one superuser and a clock that tests move. */
export async function openAccounts(options: Options = {}) {
  const database = await createTestDatabase();
  const { pool } = database;
  const dataDir = await mkdtemp(join(tmpdir(), "foyer-accounts-"));
  const feed = await openChangeFeed(database.connection, { warn: () => undefined });
  const clock = { now: Date.parse("2026-05-01T10:00:00Z") };
  const warnings: object[] = [];
  const queued: OutgoingMail[] = [];
  const { passwords, counts } = createCountedPasswords(options.passwords ?? QUICK_PASSWORDS);
  const log = { warn: (details: object, message: string) => void warnings.push({ ...details, message }) };
  const passwordRules = createPasswordRules({ log });
  const owner =
    options.hasOwner === false
      ? { id: 0, username: "" }
      : await createSuperuser({ pool, passwords, passwordRules }, OWNER);
  const now = () => new Date(clock.now);
  const outbox = createMailService({
    secrets: [Buffer.alloc(32, 1)],
    from: { address: "no-reply@example.org" },
    now,
  });
  const openCounter = openMemoryCounters(() => clock.now);
  const deps = openAccountDeps({
    pool,
    feed,
    keys: toFixedRing(await loadSigningKeys(dataDir)),
    mail: {
      async queue(db, mail) {
        await outbox.queue(db, mail);
        queued.push(mail);
      },
    },
    log,
    passwords,
    now,
    steadyMs: () => clock.now,
    openCounter,
    limits: createLoginLimits(openCounter, options.pauseMs ?? 0),
    answerFloor: options.answerFloor ?? (async () => undefined),
    factorLevel: options.factorLevel,
  });
  const service = createAccounts(deps);
  if (options.hasOwner === false)
    await insertSetupLink(pool, SETUP_TOKEN, { now: now(), expiresAt: new Date(clock.now + LINK_MS) });

  const app = withZod(fastify({ routerOptions: { ignoreTrailingSlash: true }, trustProxy: true }));
  app.decorateRequest("actor", null);
  installErrorHandler(app);
  await app.register(cookie);
  await app.register(accepts);
  registerAccountRoutes(app, {
    deps,
    accounts: service,
    requireLevel: createRequireLevel(service.authenticate),
    publicUrl: undefined,
  });
  await app.ready();

  // Each test has an address of its own, so that limits don't reach from one into another.
  let address = 0;
  const takeAddress = () => `198.51.${100 + Math.floor(++address / 250)}.${address % 250}`;
  const call = (options: InjectOptions): Promise<LightMyRequestResponse> => app.inject(options);
  return {
    database,
    dataDir,
    pool,
    feed,
    deps,
    service,
    clock,
    counts,
    warnings,
    queued,
    owner,
    call,
    takeAddress,
    /** Sends JSON from an address of its own, signed in where a token is given. */
    send(
      method: "POST" | "DELETE" | "GET" | "PATCH",
      url: string,
      options: { payload?: object; token?: string; lang?: string; address?: string; cookie?: string } = {},
    ) {
      return call({
        method,
        url,
        ...(options.payload && { payload: options.payload }),
        headers: {
          "x-forwarded-for": options.address ?? takeAddress(),
          ...(options.token && { authorization: `Bearer ${options.token}` }),
          ...(options.lang && { "accept-language": options.lang }),
          ...(options.cookie && { cookie: options.cookie }),
        },
      });
    },
    /** Mails since the last call. */
    takeMails: () => queued.splice(0),
    /** A new active account with a proven address and the owner's password. */
    async addAccount(username: string, level = 1) {
      await pool.query(
        `INSERT INTO access_level (level, name) VALUES ($1, '{"en":"Level","tr":"Düzey"}') ON CONFLICT DO NOTHING`,
        [level],
      );
      const email = `${username}@example.org`;
      const passwordHash = await passwords.hash(OWNER.password);
      const { id } = await insertAccount(pool, { username, email, passwordHash, level });
      return { id, username, email, password: OWNER.password };
    },
    async logIn(
      options: { address?: string; username?: string; password?: string; cookie?: string; url?: string } = {},
    ) {
      return call({
        method: "POST",
        url: options.url ?? "/api/users/login/",
        headers: {
          "x-forwarded-for": options.address ?? takeAddress(),
          "user-agent": "Test/1",
          ...(options.cookie && { cookie: options.cookie }),
        },
        payload: {
          username: options.username ?? OWNER.username,
          password: options.password ?? OWNER.password,
        },
      });
    },
    async signIn(username?: string): Promise<LoginAnswer> {
      return loginAnswer.parse((await this.logIn(username ? { username } : {})).json());
    },
    refresh: (refresh: string) =>
      call({ method: "POST", url: "/api/auth/token/refresh/", payload: { refresh } }),
    signOut: (refresh: string) => call({ method: "POST", url: "/api/users/logout/", payload: { refresh } }),
    getMe: (accessToken: string, headers: Record<string, string> = {}) =>
      call({ url: "/api/users/me/", headers: { ...headers, authorization: `Bearer ${accessToken}` } }),
    /** Entries since the last call. */
    async takeAudit(): Promise<AuditRow[]> {
      return asLogOwner<AuditRow>(
        pool,
        `WITH taken AS (DELETE FROM audit_entry RETURNING *)
         SELECT action_type, detail, user_id, username, ip_address, request_id FROM taken ORDER BY id`,
      );
    },
    async close(): Promise<void> {
      await app.close();
      await feed.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type AccountsFixture = Awaited<ReturnType<typeof openAccounts>>;
