import type { SignedIn } from "../base/actor.ts";

/** Who the people behind open connections are by now: sign-out, suspension and a new level reach them through this. */
export interface Identities {
  /** Calls `listener` when sessions may have ended or people changed: of these users, or of any. */
  subscribe(listener: (userIds: readonly number[] | undefined) => void): void;
  /** By session id. A session that is missing has ended, expired, or its account was suspended. One query. */
  find(sessionIds: readonly string[]): Promise<ReadonlyMap<string, SignedIn>>;
}

/** An open connection, as the watch sees it. */
export interface Watched {
  readonly person: SignedIn;
  changePerson(person: SignedIn): void;
  /** Their session has ended. */
  disconnect(): void;
}

/** Asks again after a failure, and for sessions that merely ran out. */
const RETRY_MS = 1000;
const EVERY_MS = 60_000;

function isSame(one: SignedIn, other: SignedIn): boolean {
  return one.level === other.level && one.username === other.username && one.userId === other.userId;
}

/** Keeps open connections to what their people may do by now. */
export interface IdentityWatch {
  /** Changes with each notice: who was admitted at another count has to be asked about again. */
  readonly noticeCount: number;
  /** Asks about one person. No notice: else each who comes in meanwhile would have to be asked about as well. */
  check(userId: number): void;
  close(): void;
}

/**
 * One look at a time, and one query for all whom a notice concerns; what is noticed meanwhile is looked at after it.
 * `list` gives the connections of these users, or all.
 */
export function watchIdentities(deps: {
  identities: Identities;
  list: (userIds: ReadonlySet<number> | undefined) => Iterable<Watched>;
  log: { warn(details: object, message: string): void };
}): IdentityWatch {
  const { identities, list, log } = deps;
  let noticeCount = 0;
  let isClosed = false;
  let isLooking = false;
  let isForAll = false;
  let userIds = new Set<number>();
  let retry: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const concerned = [...list(isForAll ? undefined : userIds)];
    isForAll = false;
    userIds = new Set();
    if (concerned.length === 0) return;
    const found = await identities.find([...new Set(concerned.map(({ person }) => person.sessionId))]);
    for (const watched of concerned) {
      const person = found.get(watched.person.sessionId);
      if (!person) watched.disconnect();
      else if (!isSame(person, watched.person)) watched.changePerson(person);
    }
  }

  async function run(): Promise<void> {
    if (isLooking || isClosed) return;
    isLooking = true;
    try {
      while (isForAll || userIds.size > 0) await look();
    } catch (error) {
      log.warn({ err: error }, "open connections could not be checked against their sessions");
      isForAll = true;
      clearTimeout(retry);
      retry = setTimeout(() => void run(), RETRY_MS);
    } finally {
      isLooking = false;
    }
  }

  function lookAt(changed: readonly number[] | undefined): void {
    if (changed === undefined) isForAll = true;
    else for (const userId of changed) userIds.add(userId);
    void run();
  }

  function note(changed: readonly number[] | undefined): void {
    noticeCount += 1;
    lookAt(changed);
  }

  identities.subscribe(note);
  const every = setInterval(() => note(undefined), EVERY_MS).unref();
  return {
    get noticeCount() {
      return noticeCount;
    },
    check: (userId) => lookAt([userId]),
    close() {
      isClosed = true;
      clearInterval(every);
      clearTimeout(retry);
    },
  };
}
