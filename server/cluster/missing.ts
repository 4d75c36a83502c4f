import type { Link } from "./link-types.ts";

interface MissingDeps {
  link: Pick<Link, "isIn" | "list">;
  /** How many processes use the site's database now, this one too; 0 where none of them is counted. */
  countProcesses(): Promise<number>;
  /** What carries, without its password. */
  server: string;
  log: { warn(details: object, message: string): void; info(details: object, message: string): void };
  /** Milliseconds that only grow. */
  clock: () => number;
  /** @returns what ends it */
  every: (ms: number, run: () => void) => () => void;
}

/** The processes of the site that the database knows and the link doesn't. */
export interface Missing {
  readonly count: number;
  close(): void;
}

const LOOK_MS = 5_000;
/** Who starts or stops is known to the database for longer than on the link. */
const GRACE_MS = 20_000;

/**
 * Compares the processes that use the database with those that the link has met: whoever has another Redis believes that all is
 * shared. A difference counts once it has lasted for 20 s; each change of it is a line of the log.
 */
export function watchMissing(deps: MissingDeps): Missing {
  const { link, countProcesses, server, log, clock, every } = deps;
  let count = 0;
  let since: number | undefined;
  let isLooking = false;

  function compare(inDatabase: number): void {
    // Cut off itself, it says that already.
    const found = link.isIn ? Math.max(0, inDatabase - link.list().length) : 0;
    since = found > 0 ? (since ?? clock()) : undefined;
    const next = since !== undefined && clock() - since >= GRACE_MS ? found : 0;
    if (next === count) return;
    count = next;
    const details = { missing: count, server };
    if (count === 0) log.info(details, "all processes that use the database are met again");
    else
      log.warn(
        details,
        "other processes use this database and can't be heard: is REDIS_URL of all of them the same?",
      );
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      compare(await countProcesses());
    } catch {
      // A database that is away is told of elsewhere.
    } finally {
      isLooking = false;
    }
  }

  const stop = every(LOOK_MS, () => void look());
  return {
    get count() {
      return count;
    },
    close: stop,
  };
}
