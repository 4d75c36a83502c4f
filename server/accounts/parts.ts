import type pg from "pg";
import type { MailService } from "#server/mail/service.ts";
import type { AccessTokens } from "./access-token.ts";
import type { AnswerFloor } from "./answer-floor.ts";
import type { CallLimits } from "./call-limits.ts";
import type { Codes } from "./codes.ts";
import type { KnownDevices } from "./known-device.ts";
import type { LoginLimits } from "./limits.ts";
import type { Passwords } from "./password.ts";
import type { RefreshTokens } from "./refresh-token.ts";
import type { SessionAccounts } from "./session-accounts.ts";

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
