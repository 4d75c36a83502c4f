import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import accepts from "@fastify/accepts";
import cookie from "@fastify/cookie";
import fastify, { type InjectOptions, type LightMyRequestResponse } from "fastify";
import { type LoginAnswer, loginAnswer } from "#contract/accounts.ts";
import { openChangeFeed } from "#server/db/changes.ts";
import { createRequireLevel } from "#server/http/bearer.ts";
import { installErrorHandler } from "#server/http/error-handler.ts";
import { withZod } from "#server/http/zod-compiler.ts";
import type { OutgoingMail } from "#server/mail/service.ts";
import { createTestDatabase } from "#test/database.ts";
import { loadSigningKeys } from "./keys.ts";
import { createPasswords, type Passwords } from "./password.ts";
import { registerAccountRoutes } from "./routes.ts";
import { createAccounts } from "./service.ts";
import { createSuperuser } from "./superuser.ts";

export const OWNER = { username: "Owner_1", email: "owner@example.org", password: "Correct-horse-1" };

export interface AuditRow {
  action_type: string;
  detail: string | null;
  user_id: number | null;
  username: string | null;
  ip_address: string | null;
  request_id: string | null;
}

/** Real hashing that counts what was asked of it. */
function createCountedPasswords(): { passwords: Passwords; counts: { known: number; unknown: number } } {
  const real = createPasswords();
  const counts = { known: 0, unknown: 0 };
  return {
    counts,
    passwords: {
      verify: (passwordHash, password) => {
        counts.known++;
        return real.verify(passwordHash, password);
      },
      verifyAgainstNothing: (password) => {
        counts.unknown++;
        return real.verifyAgainstNothing(password);
      },
    },
  };
}

/** The routes of accounts on a database of their own, with one superuser and a clock that tests move. */
export async function openAccounts() {
  const database = await createTestDatabase();
  const { pool } = database;
  const dataDir = await mkdtemp(join(tmpdir(), "foyer-accounts-"));
  const feed = await openChangeFeed(database.connection, { warn: () => undefined });
  const clock = { now: Date.parse("2026-05-01T10:00:00Z") };
  const warnings: object[] = [];
  const queued: OutgoingMail[] = [];
  const { passwords, counts } = createCountedPasswords();
  const owner = await createSuperuser(pool, OWNER);
  const service = createAccounts({
    pool,
    feed,
    keys: await loadSigningKeys(dataDir),
    mail: { queue: async (_db, mail) => void queued.push(mail) },
    log: { warn: (details, message) => void warnings.push({ ...details, message }) },
    passwords,
    now: () => new Date(clock.now),
  });

  const app = withZod(fastify({ routerOptions: { ignoreTrailingSlash: true }, trustProxy: true }));
  app.decorateRequest("actor", null);
  installErrorHandler(app);
  await app.register(cookie);
  await app.register(accepts);
  registerAccountRoutes(app, { accounts: service, requireLevel: createRequireLevel(service.authenticate) });
  await app.ready();

  // Each test has an address of its own, so that limits don't reach from one into another.
  let address = 0;
  const call = (options: InjectOptions): Promise<LightMyRequestResponse> => app.inject(options);
  return {
    database,
    pool,
    service,
    clock,
    counts,
    warnings,
    queued,
    owner,
    call,
    takeAddress: () => `198.51.100.${++address}`,
    async logIn(options: { address?: string; username?: string; password?: string } = {}) {
      return call({
        method: "POST",
        url: "/api/users/login/",
        headers: { "x-forwarded-for": options.address ?? `198.51.100.${++address}`, "user-agent": "Test/1" },
        payload: {
          username: options.username ?? OWNER.username,
          password: options.password ?? OWNER.password,
        },
      });
    },
    async signIn(): Promise<LoginAnswer> {
      return loginAnswer.parse((await this.logIn()).json());
    },
    refresh: (refresh: string) =>
      call({ method: "POST", url: "/api/auth/token/refresh/", payload: { refresh } }),
    signOut: (refresh: string) => call({ method: "POST", url: "/api/users/logout/", payload: { refresh } }),
    getMe: (accessToken: string, headers: Record<string, string> = {}) =>
      call({ url: "/api/users/me/", headers: { ...headers, authorization: `Bearer ${accessToken}` } }),
    /** Entries since the last call. */
    async takeAudit(): Promise<AuditRow[]> {
      const { rows } = await pool.query<AuditRow>(
        `WITH taken AS (DELETE FROM audit_entry RETURNING *)
         SELECT action_type, detail, user_id, username, ip_address, request_id FROM taken ORDER BY id`,
      );
      return rows;
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
