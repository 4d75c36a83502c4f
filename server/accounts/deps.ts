import type pg from "pg";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import type { ReadActor, RequireLevel } from "#server/http/bearer.ts";
import type { MailService } from "#server/mail/service.ts";
import { type AnswerFloor, startFloor } from "./answers.ts";
import { type CallLimits, createCallLimits } from "./codes/limits.ts";
import { type Codes, createCodes } from "./codes/store.ts";
import { createPasswords, type Passwords } from "./passwords/hashing.ts";
import { createKnownDevices, type KnownDevices } from "./sessions/devices.ts";
import { createSessionAccounts, type SessionAccounts } from "./sessions/session-accounts.ts";
import { findSession } from "./sessions/store.ts";
import { createLoginLimits, type LoginLimits } from "./sign-in/limits.ts";
import { ACCESS_TOKEN_MINUTES, type AccessTokens, createAccessTokens } from "./tokens/access-token.ts";
import type { SigningKeys } from "./tokens/keys.ts";
import { createRefreshTokens, type RefreshTokens } from "./tokens/refresh-token.ts";

/** What the calls of accounts work with. */
export interface AccountDeps {
  pool: pg.Pool;
  mail: Pick<MailService, "queue">;
  passwords: Passwords;
  limits: LoginLimits;
  callLimits: CallLimits;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  knownDevices: KnownDevices;
  codes: Codes;
  sessionAccounts: SessionAccounts;
  log: { warn(details: object, message: string): void };
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Calls that must not tell by their time whether there is an account answer after this. */
  answerFloor: AnswerFloor;
  /** Of the link with which the owner's account is made, while there is none. */
  setupToken: string | undefined;
}

/** What the routes of accounts are made from. */
export interface RouteDeps {
  deps: AccountDeps;
  requireLevel: RequireLevel;
  readActor: ReadActor;
  /** Decides whether cookies are for HTTPS alone; undefined: the request does. */
  publicUrl: string | undefined;
}

export const tags = ["accounts"];

export interface AccountsOptions {
  pool: pg.Pool;
  feed: Pick<ChangeFeed, "subscribe" | "isLive">;
  keys: SigningKeys;
  mail: Pick<MailService, "queue">;
  log: AccountDeps["log"];
  now: () => Date;
  accessTokenMinutes?: number | undefined;
  setupToken?: string | undefined;
  passwords?: Passwords | undefined;
  limits?: LoginLimits;
  answerFloor?: AnswerFloor;
}

/** Opens what all calls of accounts share. */
export function openAccountDeps(options: AccountsOptions): AccountDeps {
  const { pool, feed, log, keys, mail } = options;
  const clock = () => options.now().getTime();
  return {
    pool,
    mail,
    log,
    clock,
    passwords: options.passwords ?? createPasswords(),
    limits: options.limits ?? createLoginLimits(clock),
    callLimits: createCallLimits(clock),
    accessTokens: createAccessTokens(keys, clock, options.accessTokenMinutes ?? ACCESS_TOKEN_MINUTES),
    refreshTokens: createRefreshTokens(keys),
    knownDevices: createKnownDevices(keys),
    codes: createCodes(keys),
    sessionAccounts: createSessionAccounts({ load: (id) => findSession(pool, id), feed, clock }),
    answerFloor: options.answerFloor ?? startFloor,
    setupToken: options.setupToken,
  };
}
