import type pg from "pg";
import type { Finding } from "#server/health/service.ts";
import { moveMark, readMark, toMissingEnd } from "./mark.ts";
import { createSealer } from "./seal.ts";
import type { Sink } from "./sink.ts";
import { findOldestUnsealed } from "./store.ts";
import { verifyChain } from "./verify.ts";

const SEAL_EVERY_MS = 60_000;
/** An export of people may write for some minutes, and entries wait for it. What waits longer is kept from its seal. */
const WAITS_MAX_MS = 30 * 60_000;
/** The first look comes once the site has been up for a while: it reads the whole log. */
const FIRST_LOOK_MS = 60 * 60 * 1000;
const LOOK_EVERY_MS = 24 * 60 * 60 * 1000;

/** What a look found. `since`: when the first one found the log broken. */
export type ChainResult =
  | { state: "whole"; seals: number; entries: number }
  | { state: "broken"; since: Date; faults: readonly string[] };

interface WatchDeps {
  pool: pg.Pool;
  /** Without a limit on how long a statement takes. */
  exportPool: pg.Pool;
  /** Whether the site's account may change the log, so that changes are found and not refused. */
  canChangeLog: boolean;
  /** Keeps the newest seal that was seen. */
  dataDir: string;
  key: Buffer;
  /** Gets the result of each look, and of a missing end as soon as it is missed. */
  tell(result: ChainResult): Promise<void>;
  log: { error(details: object, message: string): void };
  now: () => Date;
  /** Gets what was sealed. */
  sink?: Sink | undefined;
}

/** Seals the log each minute and at the stop, reads the whole chain once a day, and says what it found. */
export interface ChainWatch {
  start(): void;
  seal(): Promise<void>;
  look(): Promise<void>;
  /** Undefined while nothing is to be said. */
  check(): Finding | undefined;
  close(): Promise<void>;
}

export function createChainWatch(deps: WatchDeps): ChainWatch {
  const { pool, exportPool, canChangeLog, dataDir, key, tell, log, now, sink } = deps;
  const sealer = createSealer({ pool, key, now });
  let [sealing, looking] = [Promise.resolve(), Promise.resolve()];
  let waitsSince: number | null = null;
  let broken: { since: Date; fault: string; isOfMark: boolean } | undefined;
  const timers: NodeJS.Timeout[] = [];

  const setBroken = async (faults: readonly [string, ...string[]], isOfMark = false) => {
    broken = { since: broken?.since ?? now(), fault: faults[0], isOfMark };
    await tell({ state: "broken", since: broken.since, faults });
  };

  /** Turns of one kind come one after the other; one that fails is logged, and the next one tries again. */
  const seal = () => {
    sealing = sealing.then(async () => {
      try {
        await sealer.seal();
        waitsSince = await findOldestUnsealed(pool);
        const missing = await moveMark(pool, dataDir);
        if (missing && !broken) await setBroken([toMissingEnd(missing.id)], true);
        // Its owner has said that the end is good.
        if (!missing && broken?.isOfMark) broken = undefined;
      } catch (error) {
        log.error(
          { err: error },
          "new entries of the audit log could not be sealed: tried again in a minute",
        );
      }
      await sink?.deliver();
    });
    return sealing;
  };
  const look = () => {
    looking = looking.then(async () => {
      try {
        const { faults, seals, entries } = await verifyChain(exportPool, key, await readMark(dataDir));
        const [fault, ...others] = faults;
        if (fault !== undefined) return await setBroken([fault, ...others]);
        broken = undefined;
        await tell({ state: "whole", seals, entries });
      } catch (error) {
        log.error({ err: error }, "the audit log could not be checked: tried again tomorrow");
      }
    });
    return looking;
  };

  return {
    seal,
    look,
    start() {
      void seal();
      timers.push(
        setInterval(seal, SEAL_EVERY_MS),
        setTimeout(() => {
          void look();
          timers.push(setInterval(look, LOOK_EVERY_MS));
        }, FIRST_LOOK_MS),
      );
    },
    check() {
      const toWhen = (moment: Date) => moment.toISOString().slice(0, 16).replace("T", " ");
      if (!broken && waitsSince !== null && now().getTime() - waitsSince > WAITS_MAX_MS)
        return { status: "warning", reason: "audit_unsealed", vars: { when: toWhen(new Date(waitsSince)) } };
      if (!broken)
        return (
          sink?.check() ?? (canChangeLog ? { status: "healthy", reason: "audit_changeable" } : undefined)
        );
      const when = toWhen(broken.since);
      return { status: "critical", reason: "audit_broken", vars: { when, fault: broken.fault } };
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await looking;
      // The first one ends what a running writer had put off, the second takes what came since.
      await seal();
      await seal();
    },
  };
}

/** Tells the site's own log of a result, and its owners where the audit log is broken. */
export function tellOfChain(
  log: { info(details: object, message: string): void; error(details: object, message: string): void },
  alertOwners: (fault: string) => Promise<void>,
): WatchDeps["tell"] {
  return async (result) => {
    if (result.state === "whole") {
      log.info({ seals: result.seals, entries: result.entries }, "the audit log is as it was sealed");
      return;
    }
    log.error({ faults: result.faults }, "the audit log is not as it was sealed: somebody changed it");
    await alertOwners(result.faults[0] ?? "");
  };
}
