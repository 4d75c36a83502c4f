import type pg from "pg";
import type { Finding } from "#server/health/service.ts";
import { raiseAlert } from "../service.ts";
import { createSealer } from "./seal.ts";
import type { Sink } from "./sink.ts";
import { verifyChain } from "./verify.ts";

const SEAL_EVERY_MS = 60_000;
/** The first look comes once the site has been up for a while: it reads the whole log. */
const FIRST_LOOK_MS = 60 * 60 * 1000;
const LOOK_EVERY_MS = 24 * 60 * 60 * 1000;

interface WatchDeps {
  pool: pg.Pool;
  /** Without a limit on how long a statement takes. */
  exportPool: pg.Pool;
  key: Buffer;
  log: { info(details: object, message: string): void; error(details: object, message: string): void };
  now: () => Date;
  /** Gets what was sealed. */
  sink?: Sink | undefined;
}

/** Seals the log each minute and at the stop, reads the whole chain once a day, and says what it found. */
export interface ChainWatch {
  start(): void;
  seal(): Promise<void>;
  look(): Promise<void>;
  /** Undefined while nothing is wrong. */
  check(): Finding | undefined;
  close(): Promise<void>;
}

export function createChainWatch({ pool, exportPool, key, log, now, sink }: WatchDeps): ChainWatch {
  const sealer = createSealer({ pool, key, now });
  let [sealing, looking] = [Promise.resolve(), Promise.resolve()];
  let newest: { id: string; hash: string } | undefined;
  let broken: { since: Date; fault: string } | undefined;
  const timers: NodeJS.Timeout[] = [];

  /** Turns of one kind come one after the other; one that fails is logged, and the next one tries again. */
  const seal = () => {
    sealing = sealing.then(async () => {
      try {
        await sealer.seal();
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
        const report = await verifyChain(exportPool, key, newest);
        const [fault] = report.faults;
        if (fault === undefined) {
          newest = report.newest;
          broken = undefined;
          log.info({ seals: report.seals, entries: report.entries }, "the audit log is as it was sealed");
          return;
        }
        broken = { since: broken?.since ?? now(), fault };
        log.error({ faults: report.faults }, "the audit log is not as it was sealed: somebody changed it");
        await raiseAlert(pool, { kind: "audit_broken", about: { en: fault, tr: fault }, isOnce: true });
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
      if (!broken) return sink?.check();
      const when = broken.since.toISOString().slice(0, 16).replace("T", " ");
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
