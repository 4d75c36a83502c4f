import type pg from "pg";
import type { Finding } from "#server/health/service.ts";
import type { ChainDuty, ChainNote } from "./duty.ts";
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
/** A daily look that ended with its process is done by the next one. */
const CUT_LOOK_MS = LOOK_EVERY_MS + 5 * 60_000;
/** Whoever holds up the one look that the site's processes share is found out by the others. */
const LATE_LOOK_MS = 2 * LOOK_EVERY_MS;

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
  duty: ChainDuty;
  /** Gets what was sealed. */
  sink?: Sink | undefined;
}

/**
 * Seals the log each minute and at the stop, reads the whole chain once a day, and says what it found. One process of the site does
 * that; each of them looks whether the end that it has seen is still there.
 */
export interface ChainWatch {
  start(): void;
  seal(): Promise<void>;
  look(): Promise<void>;
  /** Undefined while nothing is to be said. */
  check(): Finding | undefined;
  close(): Promise<void>;
}

/** What is wrong with the log, and whether that is its missing end. */
interface Broken {
  since: Date;
  reason: string;
  isOfMark: boolean;
}

const toWhen = (moment: Date) => moment.toISOString().slice(0, 16).replace("T", " ");

export function createChainWatch(deps: WatchDeps): ChainWatch {
  const { pool, exportPool, canChangeLog, dataDir, key, duty, tell, log, now, sink } = deps;
  const sealer = createSealer({ pool, key, now });
  const closing = new AbortController();
  let [sealing, looking] = [Promise.resolve(), Promise.resolve()];
  let waitsSince: number | null = null;
  let broken: Broken | undefined;
  /** What the process that seals has said last; empty in that process. */
  let said: ChainNote = {};
  let wasMine = false;
  /** This process's own last look; none before its start is known. */
  let lookedAt = now().getTime();
  let isOpen = false;
  const timers: NodeJS.Timeout[] = [];

  const setBroken = async (faults: readonly [string, ...string[]], isOfMark = false) => {
    broken = { since: broken?.since ?? now(), reason: faults[0], isOfMark };
    await tell({ state: "broken", since: broken.since, faults });
  };

  /** Of the end that each process has seen by itself, in its own folder. */
  async function lookAtEnd(): Promise<void> {
    waitsSince = await findOldestUnsealed(pool);
    const missing = await moveMark(pool, dataDir);
    if (missing && !broken) await setBroken([toMissingEnd(missing.id)], true);
    // Its owner has said that the end is good.
    if (!missing && broken?.isOfMark) broken = undefined;
  }

  /** What the process that sealed before had found stands until this one has looked itself, which is at once. */
  function adopt(found: ChainNote["broken"]): void {
    if (!found || broken) return;
    broken = { since: new Date(found.since), reason: found.reason, isOfMark: false };
    lookedAt = 0;
  }

  /** Whoever seals says how it goes; the others listen, and look themselves where nobody has for long. */
  async function exchange(): Promise<void> {
    if (!duty.isShared) return;
    const toNote = (found: { since: Date; reason: string } | undefined) =>
      found && { since: found.since.toISOString(), reason: found.reason };
    const isMine = duty.isMine();
    if (isMine && !wasMine) adopt((await duty.read()).broken);
    wasMine = isMine;
    if (isMine) await duty.write({ broken: toNote(broken), failing: toNote(sink?.getFailing()) });
    const note = await duty.read();
    said = isMine ? {} : note;
    const last = Math.max(lookedAt, note.lookedAt === undefined ? 0 : Date.parse(note.lookedAt));
    if (now().getTime() - last > (isMine ? CUT_LOOK_MS : LATE_LOOK_MS)) void look(true);
  }

  /** Turns of one kind come one after the other; one that fails is logged, and the next one tries again. */
  const seal = () => {
    sealing = sealing.then(async () => {
      try {
        if (duty.isMine()) await sealer.seal();
        await lookAtEnd();
      } catch (error) {
        log.error(
          { err: error },
          "new entries of the audit log could not be sealed: tried again in a minute",
        );
      }
      await sink?.deliver();
      await exchange().catch((error: unknown) =>
        log.error({ err: error }, "how the audit log is can't be shared with the site's other processes"),
      );
    });
    return sealing;
  };
  const look = (isAnyones = false) => {
    looking = looking.then(async () => {
      if (closing.signal.aborted || (!isAnyones && !duty.isMine())) return;
      lookedAt = now().getTime();
      try {
        const mark = await readMark(dataDir);
        const { faults, seals, entries } = await verifyChain(exportPool, key, mark, closing.signal);
        if (duty.isMine()) await duty.write({ lookedAt: now().toISOString() });
        const [fault, ...others] = faults;
        if (fault !== undefined) return await setBroken([fault, ...others]);
        broken = undefined;
        await tell({ state: "whole", seals, entries });
      } catch (error) {
        // The next process looks: nothing says that it was done.
        if (error === closing.signal.reason) return;
        log.error({ err: error }, "the audit log could not be checked: tried again tomorrow");
      }
    });
    return looking;
  };
  duty.onGain(() => {
    if (isOpen) void seal();
  });

  return {
    seal,
    look,
    start() {
      isOpen = true;
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
      const found = broken ?? said.broken;
      if (found) {
        const vars = { when: toWhen(new Date(found.since)), fault: found.reason };
        return { status: "critical", reason: "audit_broken", vars };
      }
      if (waitsSince !== null && now().getTime() - waitsSince > WAITS_MAX_MS)
        return { status: "warning", reason: "audit_unsealed", vars: { when: toWhen(new Date(waitsSince)) } };
      const failing = sink?.getFailing() ?? said.failing;
      if (failing) {
        const vars = { when: toWhen(new Date(failing.since)), fault: failing.reason };
        return { status: "warning", reason: "audit_sink_fails", vars };
      }
      return canChangeLog ? { status: "healthy", reason: "audit_changeable" } : undefined;
    },
    async close() {
      isOpen = false;
      for (const timer of timers) clearTimeout(timer);
      // A look reads the whole log; a stop doesn't wait for more of it than the batch at hand.
      closing.abort();
      await looking;
      // The first one ends what a running writer had put off, the second takes what came since.
      await seal();
      await seal();
      await duty.giveUp().catch(() => undefined); // a database that is away lets it go by itself
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
