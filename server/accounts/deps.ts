import type pg from "pg";
import type { MailService } from "#server/mail/service.ts";
import type { AnswerFloor } from "./answer-floor.ts";
import type { CallLimits } from "./codes/limits.ts";
import type { Codes } from "./codes/store.ts";
import type { Passwords } from "./passwords/hashing.ts";
import type { KnownDevices } from "./sessions/devices.ts";
import type { SessionAccounts } from "./sessions/session-accounts.ts";
import type { LoginLimits } from "./sign-in/limits.ts";
import type { AccessTokens } from "./tokens/access-token.ts";
import type { RefreshTokens } from "./tokens/refresh-token.ts";

/** What the calls of accounts work with. */
export interface AccountParts {
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
