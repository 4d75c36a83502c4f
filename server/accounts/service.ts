import type * as z from "zod/mini";
import {
  type AccountUser,
  type NotificationPreferences,
  notificationPreferences,
  type verifyTokenAnswer,
} from "#contract/accounts/accounts.ts";
import type { Language } from "#contract/languages.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Authenticate } from "#server/http/bearer.ts";
import type { SignedIn } from "../base/actor.ts";
import { type Account, toAccountUser, toMailLanguage } from "./account.ts";
import type { AccountDeps } from "./deps.ts";
import { type DescribedPerson, describePeople } from "./people/describe-people.ts";
import type { SessionAccount } from "./sessions/session-accounts.ts";
import { selectNames, selectNotified } from "./store.ts";
import type { AccessClaims } from "./tokens/access-token.ts";

export { type DescribedPerson, describePeople };

/** Who people are: what guards and other subjects may ask of accounts. */
export interface AccountService {
  authenticate: Authenticate;
  /** What an access token says. @throws AppError session_expired. */
  verifyToken(accessToken: string): Promise<z.infer<typeof verifyTokenAnswer>>;
  /** @throws AppError session_expired. */
  getMe(person: SignedIn, lang: Language): Promise<AccountUser>;
}

/** How the log and others call a person. */
export type PersonName = Pick<Account, "id" | "username" | "first_name" | "last_name">;

/** People by their numbers; who is gone has none. */
export async function findPeople(
  db: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PersonName>> {
  const names = ids.length > 0 ? await selectNames(db, [...new Set(ids)]) : [];
  return new Map(names.map((name) => [name.id, name]));
}

/** A person who may be written to. */
export interface Notified {
  userId: number;
  username: string;
  recipient: string;
  language: Language;
  preferences: NotificationPreferences;
}

/** Undefined: the account is gone or suspended, or has not proven its address. */
export async function findNotified(db: Queryable, userId: number): Promise<Notified | undefined> {
  const account = await selectNotified(db, userId);
  return (
    account && {
      userId: account.id,
      username: account.username,
      recipient: account.email,
      language: toMailLanguage(account),
      preferences: notificationPreferences.parse(account.notification_preferences),
    }
  );
}

function pickPerson(found: SessionAccount | undefined, claims: AccessClaims): SignedIn | undefined {
  return found && String(found.account.id) === claims.sub ? found.person : undefined;
}

export function createAccounts(deps: AccountDeps): AccountService {
  const { accessTokens, sessionAccounts, clock } = deps;
  const authenticate: Authenticate = (accessToken) => {
    const claims = accessTokens.verify(accessToken);
    if (!claims) return undefined;
    const found = sessionAccounts.find(claims.sid);
    return found instanceof Promise
      ? found.then((read) => pickPerson(read, claims))
      : pickPerson(found, claims);
  };
  return {
    authenticate,
    async verifyToken(accessToken) {
      const claims = accessTokens.verify(accessToken);
      const person = await authenticate(accessToken);
      if (!claims || !person) throw new AppError("session_expired");
      return {
        valid: true,
        user_id: person.userId,
        access_level: person.level,
        expires_in: Math.max(0, Math.floor(claims.exp - clock() / 1000)),
      };
    },
    async getMe(person, lang) {
      // The guard has just looked the session up: this costs no query.
      const found = await sessionAccounts.find(person.sessionId);
      if (!found) throw new AppError("session_expired");
      return toAccountUser(found.account, lang);
    },
  };
}
