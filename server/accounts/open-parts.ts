import type pg from "pg";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import type { MailService } from "#server/mail/service.ts";
import { type AnswerFloor, startFloor } from "./answer-floor.ts";
import { createCallLimits } from "./codes/limits.ts";
import { createCodes } from "./codes/store.ts";
import type { AccountParts } from "./deps.ts";
import { createPasswords, type Passwords } from "./passwords/hashing.ts";
import { createKnownDevices } from "./sessions/devices.ts";
import { createSessionAccounts } from "./sessions/session-accounts.ts";
import { findSession } from "./sessions/store.ts";
import { createLoginLimits, type LoginLimits } from "./sign-in/limits.ts";
import { ACCESS_TOKEN_MINUTES, createAccessTokens } from "./tokens/access-token.ts";
import type { SigningKeys } from "./tokens/keys.ts";
import { createRefreshTokens } from "./tokens/refresh-token.ts";

export interface AccountsOptions {
  pool: pg.Pool;
  feed: Pick<ChangeFeed, "subscribe" | "isLive">;
  keys: SigningKeys;
  mail: Pick<MailService, "queue">;
  log: AccountParts["log"];
  now: () => Date;
  accessTokenMinutes?: number | undefined;
  setupToken?: string | undefined;
  passwords?: Passwords | undefined;
  limits?: LoginLimits;
  answerFloor?: AnswerFloor;
}

/** Opens what all calls of accounts share. */
export function openAccountParts(options: AccountsOptions): AccountParts {
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
