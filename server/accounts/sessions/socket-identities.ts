import { setImmediate } from "node:timers/promises";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import type { RowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Identities } from "#server/socket/identities.ts";
import { IDENTITY_MODELS, LEVEL_MODEL, toPerson } from "./session-accounts.ts";
import { findLivingSessions, type SessionRules } from "./store.ts";

type UserIds = readonly number[] | undefined;

/** The look under way, and the one behind it, which takes all that was noticed meanwhile. More would be those of later notices. */
const LOOKS = 2;

/**
 * Whom a notice may concern; an empty list: nobody, undefined: anybody. Ids are people's, but for those of levels: a level's
 * new number is everybody's who has it.
 */
function toUserIds(modelKey: string, change: RowChange): UserIds {
  if (!IDENTITY_MODELS.has(modelKey)) return [];
  if (modelKey === LEVEL_MODEL) return change.type === "updated" ? undefined : [];
  return change.isMany ? undefined : change.ids;
}

/** Who people are, for open sockets and for what is published through them. */
export interface AccountIdentities extends Identities {
  /**
   * Resolves when what notices have asked for so far is answered: what was committed later finds people as they are by then.
   * False: it could not be answered, and people may no longer be who they are taken for. Ask again.
   */
  settled(): Promise<boolean>;
}

/**
 * How sign-out, suspension, deletion and changed levels reach open sockets: by the notices of PostgreSQL, whichever process
 * wrote. Notices that arrive together, as those of a bulk suspension do, are published once. `clock` in milliseconds.
 */
export function createIdentities(deps: {
  pool: Queryable;
  feed: Pick<ChangeFeed, "subscribe" | "subscribeRows">;
  clock: () => number;
  rules: SessionRules;
  factorLevel?: number | undefined;
}): AccountIdentities {
  const { pool, feed, clock, rules, factorLevel } = deps;
  const listeners: ((userIds: UserIds) => void)[] = [];
  const changed = new Set<number>();
  let isAnybody = false;
  let isPublishing = false;
  let hasFailed = false;
  const finding = new Set<Promise<unknown>>();

  const notify = () => {
    const userIds = isAnybody ? undefined : [...changed];
    changed.clear();
    isAnybody = false;
    isPublishing = false;
    for (const listener of listeners) listener(userIds);
  };
  const note = (userIds: UserIds) => {
    if (userIds?.length === 0) return;
    if (userIds) for (const id of userIds) changed.add(id);
    else isAnybody = true;
    if (isPublishing) return;
    isPublishing = true;
    queueMicrotask(notify);
  };
  feed.subscribeRows((modelKey, change) => note(toUserIds(modelKey, change)));
  feed.subscribe((modelKey) => {
    // Notices may have been missed.
    if (modelKey === undefined) note(undefined);
  });

  const read = async (sessionIds: readonly string[]) => {
    const sessions = await findLivingSessions(pool, sessionIds, clock(), rules);
    const entries = sessions.map(
      ({ session_id: sessionId, ...account }) =>
        [sessionId, toPerson({ ...account, sessionId }, clock(), factorLevel)] as const,
    );
    return new Map(entries);
  };

  return {
    subscribe: (listener) => void listeners.push(listener),
    find(sessionIds) {
      const found = read(sessionIds);
      finding.add(found);
      const end = (isFailure: boolean) => {
        finding.delete(found);
        hasFailed = isFailure;
      };
      // The caller gets the failure, and looks again at everybody.
      found.then(
        () => end(false),
        () => end(true),
      );
      return found;
    },
    async settled() {
      if (hasFailed) {
        // Whoever it failed for may be gone, and then nobody else would look again.
        hasFailed = false;
        note(undefined);
      }
      // Behind the turn in which listeners are notified.
      await undefined;
      for (let look = 1; look <= LOOKS; look++) {
        await Promise.allSettled(finding);
        // Who asked may ask again for what was noticed meanwhile.
        await setImmediate();
      }
      return !hasFailed;
    },
  };
}
