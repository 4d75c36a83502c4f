import { LRUCache } from "lru-cache";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { SignedIn } from "#server/base/actor.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { type Account, toActor } from "../account.ts";
import { type SessionRules, type SessionWithAccount, toSessionEnd } from "./store.ts";

/** Whom a living session belongs to. */
export interface SessionAccount {
  readonly account: Account;
  readonly person: SignedIn;
  /** From then on it is to be looked up anew, in milliseconds. */
  readonly goodUntil: number;
}

/** Looks up sessions by their id, at most once for as long as nothing changes. */
export interface SessionAccounts {
  /** Undefined when the session ended or expired, or its account was suspended. Answers at once what is cached. */
  find(sessionId: string): SessionAccount | undefined | Promise<SessionAccount | undefined>;
  /** Forgets everything: called after a write of this process, whose own notice comes a moment later. */
  drop(): void;
}

export const LEVEL_MODEL = "accounts.access_level";
/** Models that decide who somebody is; `accounts.session` is no content model, only a name for notices. */
export const IDENTITY_MODELS: ReadonlySet<string> = new Set([
  "accounts.user",
  "accounts.session",
  LEVEL_MODEL,
]);
const MAX_CACHED = 10_000;
/** Of people who are looked up apart from any request. */
const NOWHERE = { ipAddress: null, userAgent: null, requestId: null };

/** Whether somebody of this level needs a second factor. `factorLevel` undefined: nobody does. */
export function isFactorRequired(level: number, factorLevel: number | undefined): boolean {
  return factorLevel !== undefined && level >= factorLevel;
}

/**
 * From which moment on (milliseconds) somebody has nothing of what their level opens, because they owe a second factor; undefined:
 * they owe none.
 */
function getFactorDue(
  { access_level, second_factor_due_at }: Pick<Account, "access_level" | "second_factor_due_at">,
  factorLevel: number | undefined,
): number | undefined {
  if (second_factor_due_at === null || !isFactorRequired(access_level, factorLevel)) return undefined;
  return Date.parse(second_factor_due_at);
}

/** Who somebody is by their session: without the console while they owe a second factor whose time is over. */
export function toPerson(
  session: Pick<Account, "id" | "username" | "access_level" | "second_factor_due_at"> & {
    sessionId: string;
    confirmed_at: string;
  },
  now: number,
  factorLevel: number | undefined,
): SignedIn {
  const { sessionId, confirmed_at } = session;
  const person = { ...toActor(session, NOWHERE), sessionId, confirmedAt: Date.parse(confirmed_at) };
  const dueAt = getFactorDue(session, factorLevel);
  return dueAt !== undefined && dueAt <= now
    ? { ...person, level: ACCESS_LEVEL.user, owesFactor: true }
    : person;
}

function toSessionAccount(
  sessionId: string,
  row: SessionWithAccount | undefined,
  { now, rules, factorLevel }: { now: number; rules: SessionRules; factorLevel: number | undefined },
): SessionAccount | undefined {
  if (!row?.is_active || row.ended_at !== null) return undefined;
  const { at: expiresAt } = toSessionEnd(row, rules);
  if (expiresAt <= now) return undefined;
  const dueAt = getFactorDue(row, factorLevel);
  const person = toPerson({ ...row, sessionId }, now, factorLevel);
  return { account: row, person, goodUntil: dueAt && dueAt > now ? Math.min(expiresAt, dueAt) : expiresAt };
}

export function createSessionAccounts(deps: {
  load: (sessionId: string) => Promise<SessionWithAccount | undefined>;
  feed: Pick<ChangeFeed, "subscribe" | "isLive">;
  clock: () => number;
  rules: SessionRules;
  /** From which level on a second factor is needed. */
  factorLevel?: number | undefined;
}): SessionAccounts {
  const { load, feed, clock, rules, factorLevel } = deps;
  const cached = new LRUCache<string, SessionAccount>({ max: MAX_CACHED });
  // Not `fetch` of lru-cache: where a session isn't there and everything was dropped meanwhile, it fails instead of saying so.
  const loading = new Map<string, Promise<SessionAccount | undefined>>();

  function drop(): void {
    cached.clear();
    loading.clear(); // what is being read may be the old state: new callers read again
  }
  feed.subscribe((modelKey) => {
    if (modelKey === undefined || IDENTITY_MODELS.has(modelKey)) drop();
  });

  async function read(sessionId: string): Promise<SessionAccount | undefined> {
    return toSessionAccount(sessionId, await load(sessionId), { now: clock(), rules, factorLevel });
  }

  function readOnce(sessionId: string): Promise<SessionAccount | undefined> {
    const running = loading.get(sessionId);
    if (running) return running;
    const mine = read(sessionId)
      .then((found) => {
        if (found && feed.isLive() && loading.get(sessionId) === mine) cached.set(sessionId, found);
        return found;
      })
      .finally(() => {
        if (loading.get(sessionId) === mine) loading.delete(sessionId);
      });
    loading.set(sessionId, mine);
    return mine;
  }

  return {
    find(sessionId) {
      if (!feed.isLive()) return read(sessionId);
      const known = cached.get(sessionId);
      // The session may have been used since, which is no news: past the cached end, the database decides.
      return known && clock() < known.goodUntil ? known : readOnce(sessionId);
    },
    drop,
  };
}
