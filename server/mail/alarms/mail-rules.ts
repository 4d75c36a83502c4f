import { type ChangeCache, type ChangeFeed, createChangeCache } from "#server/db/change-feed.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type MailRules, selectRules } from "./rules.ts";

export const RULES_MODEL = "mail.rules";

/** The rules as they stand. @throws what the database throws: no rule is guessed. */
export interface ReadMailRules {
  get(db: Queryable): Promise<MailRules>;
}

/** Reads the rules once for each change of them. */
export function createMailRules(feed: Pick<ChangeFeed, "subscribe" | "isLive">): ReadMailRules {
  const cache: ChangeCache<MailRules> = createChangeCache(feed, 1);
  return {
    get: (db) => cache.get("rules", { models: [RULES_MODEL], load: () => selectRules(db) }),
  };
}
