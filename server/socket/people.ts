import type { SignedIn } from "../base/actor.ts";

/** Who the people behind open connections are by now: sign-out, suspension and a new level reach them through this. */
export interface People {
  /** Calls `listener` when sessions may have ended or people changed: of these users, or of any. */
  subscribe(listener: (userIds: readonly number[] | undefined) => void): void;
  /** By session id. A session that is missing has ended, expired, or its account was suspended. One query. */
  find(sessionIds: readonly string[]): Promise<ReadonlyMap<string, SignedIn>>;
}
