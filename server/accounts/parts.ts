import type pg from "pg";
import type { MailService } from "#server/mail/service.ts";
import type { AccessTokens } from "./access-token.ts";
import type { LoginLimits } from "./limits.ts";
import type { Passwords } from "./password.ts";
import type { RefreshTokens } from "./refresh-token.ts";
import type { SessionAccounts } from "./session-accounts.ts";

/** What the calls of the service work with. */
export interface AccountParts {
  pool: pg.Pool;
  mail: Pick<MailService, "queue">;
  passwords: Passwords;
  limits: LoginLimits;
  accessTokens: AccessTokens;
  refreshTokens: RefreshTokens;
  sessionAccounts: SessionAccounts;
  log: { warn(details: object, message: string): void };
  /** Milliseconds since 1970. */
  clock: () => number;
}
