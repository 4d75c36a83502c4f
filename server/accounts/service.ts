import type pg from "pg";
import type { AccountUser, LoginAnswer, LoginRequest, RefreshAnswer } from "#contract/accounts.ts";
import type { Language } from "#contract/languages.ts";
import type { ChangeFeed } from "#server/db/changes.ts";
import type { Authenticate, SignedIn } from "#server/http/bearer.ts";
import { AppError } from "#server/http/errors.ts";
import type { MailService } from "#server/mail/service.ts";
import { type AccessClaims, createAccessTokens } from "./access-token.ts";
import { type Client, toAccountUser } from "./account.ts";
import type { SigningKeys } from "./keys.ts";
import { createLoginLimits, type LoginLimits } from "./limits.ts";
import type { AccountParts } from "./parts.ts";
import { createPasswords, type Passwords } from "./password.ts";
import { refresh } from "./refresh.ts";
import { createRefreshTokens } from "./refresh-token.ts";
import { createSessionAccounts, type SessionAccount } from "./session-accounts.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";
import { findSession } from "./store.ts";

/** Who people are: what routes, guards and other subjects may ask of accounts. */
export interface AccountService {
  authenticate: Authenticate;
  /** @throws AppError invalid_credentials, too_many_logins. */
  signIn(credentials: LoginRequest, client: Client, lang: Language): Promise<LoginAnswer>;
  /** @throws AppError invalid_refresh_token. */
  refresh(refreshToken: string, client: Client): Promise<RefreshAnswer>;
  signOut(refreshToken: string, client: Client): Promise<void>;
  /** @throws AppError session_expired. */
  getMe(person: SignedIn, lang: Language): Promise<AccountUser>;
}

export interface AccountsOptions {
  pool: pg.Pool;
  feed: Pick<ChangeFeed, "subscribe" | "isLive">;
  keys: SigningKeys;
  mail: Pick<MailService, "queue">;
  log: AccountParts["log"];
  now: () => Date;
  passwords?: Passwords;
  limits?: LoginLimits;
}

function openParts(options: AccountsOptions): AccountParts {
  const { pool, feed, log, keys, mail } = options;
  const clock = () => options.now().getTime();
  return {
    pool,
    mail,
    log,
    clock,
    passwords: options.passwords ?? createPasswords(),
    limits: options.limits ?? createLoginLimits(),
    accessTokens: createAccessTokens(keys, clock),
    refreshTokens: createRefreshTokens(keys),
    sessionAccounts: createSessionAccounts({ load: (id) => findSession(pool, id), feed, clock }),
  };
}

function pickPerson(found: SessionAccount | undefined, claims: AccessClaims): SignedIn | undefined {
  return found && String(found.account.id) === claims.sub ? found.person : undefined;
}

export function createAccounts(options: AccountsOptions): AccountService {
  const parts = openParts(options);
  const { accessTokens, sessionAccounts } = parts;
  return {
    authenticate(accessToken) {
      const claims = accessTokens.verify(accessToken);
      if (!claims) return undefined;
      const found = sessionAccounts.find(claims.sid);
      return found instanceof Promise
        ? found.then((read) => pickPerson(read, claims))
        : pickPerson(found, claims);
    },
    signIn: (credentials, client, lang) => signIn(parts, credentials, client, lang),
    refresh: (refreshToken, client) => refresh(parts, refreshToken, client),
    signOut: (refreshToken, client) => signOut(parts, refreshToken, client),
    async getMe(person, lang) {
      // The guard has just looked the session up: this costs no query.
      const found = await sessionAccounts.find(person.sessionId);
      if (!found) throw new AppError("session_expired");
      return toAccountUser(found.account, lang);
    },
  };
}
