import { existsSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import type { Logger } from "pino";
import type { Leases } from "#server/db/leases/lease.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { OutgoingMail } from "#server/mail/service.ts";
import { toStamp } from "../data-folders.ts";
import { toBackupsFolder } from "../former-state.ts";
import { holdsData } from "../target.ts";
import { type DailyOptions, findWritten, makeDailyBackup } from "./daily-backup.ts";
import { toDailyName } from "./retention.ts";
import {
  type BackupRun,
  beginRun,
  deleteOldRuns,
  deleteRun,
  endRun,
  isFailureTold,
  markTold,
  type RunKind,
  type RunResult,
  selectLatest,
  selectRunning,
  selectUncopied,
} from "./run-store.ts";

const MINUTE_MS = 60_000;
const LOOK_EVERY_MS = MINUTE_MS;
/** A start isn't slowed down by what was missed while the site was off. */
const FIRST_LOOK_MS = 2 * MINUTE_MS;
/** After a failure. */
const AGAIN_MS = 60 * MINUTE_MS;
const KEPT_MS = 365 * 24 * 60 * MINUTE_MS;

/** A time of day where the server is. */
export interface TimeOfDay {
  hour: number;
  minute: number;
}

/** When the latest backup by the clock was due: today at that time, or yesterday. Days of 23 and 25 hours count as one. */
export function findLatestDue(now: Date, { hour, minute }: TimeOfDay): Date {
  const due = new Date(now);
  due.setHours(hour, minute, 0, 0);
  if (due > now) due.setDate(due.getDate() - 1);
  return due;
}

export function findNextDue(now: Date, time: TimeOfDay): Date {
  const next = findLatestDue(now, time);
  next.setDate(next.getDate() + 1);
  return next;
}

/** Work of one kind: when it is to be done, and the work. */
export interface ScheduledWork {
  kind: RunKind;
  /** Whether it is due, with what was done last. Failures are tried again an hour later by themselves. */
  isDue(db: Queryable, lastDone: Date | undefined, now: Date): Promise<boolean>;
  /** `file`: the name that `toFile` gave. */
  run(stop: AbortSignal, file: string | undefined): Promise<RunResult>;
  /** The file that a run of that moment makes. */
  toFile?(began: Date): string;
  /** What a run that was cut off had finished all the same; undefined: nothing. */
  findWritten?(file: string): Promise<RunResult | undefined>;
  /** Takes away what a process that was killed left; done before the first look. */
  cleanUp?(): Promise<void>;
}

interface DailyWorkOptions extends Omit<DailyOptions, "stop"> {
  time: TimeOfDay;
  /** Title of the other place, where backups are copied. */
  remote?: string | undefined;
}

export function createDailyWork(options: DailyWorkOptions): ScheduledWork {
  const { remote, dataDir, backupDir = toBackupsFolder(dataDir) } = options;

  /** Its copy is missing, and it is on another machine, whose process ended before it was copied: only a new one gets there from here. */
  async function isOutOfReach(db: Queryable): Promise<boolean> {
    const file = remote === undefined ? undefined : await selectUncopied(db, remote);
    return file !== undefined && !existsSync(join(backupDir, file));
  }

  return {
    kind: "backup",
    async isDue(db, lastDone, now) {
      const due = findLatestDue(now, options.time);
      // One that was made in the future was made by a clock that went back since.
      const isMade = lastDone !== undefined && lastDone >= due && lastDone <= now;
      return (!isMade || (await isOutOfReach(db))) && holdsData(db);
    },
    toFile: (began) => toDailyName(toStamp(began)),
    run: (stop, file = toDailyName(toStamp(options.now()))) => makeDailyBackup(file, { ...options, stop }),
    findWritten: (file) => findWritten(file, options),
  };
}

export interface ScheduleDeps {
  /** Two connections of its own, without a statement timeout. */
  pool: pg.Pool;
  leases: Pick<Leases, "keep">;
  /** In the order in which they are done. */
  works: readonly ScheduledWork[];
  /** Undefined: there is nobody to write to. */
  findOwner(db: Queryable): Promise<{ recipient: string; language: "en" | "tr" } | undefined>;
  mail: { queue(db: Queryable, mail: OutgoingMail): Promise<void> };
  log: Pick<Logger, "info" | "error">;
  now: () => Date;
}

export interface Schedule {
  start(): void;
  /** Does what is due now, where that is this process's work. */
  look(): Promise<void>;
  /** Ends what runs; nothing half done stays. */
  close(): Promise<void>;
}

/**
 * Looks once a minute whether a backup is due, makes it beside whoever uses the site, and says when one fails. One process of the
 * site does that; when it dies, the next one begins what it was at anew.
 */
export function createSchedule(deps: ScheduleDeps): Schedule {
  const { pool, works, leases, log, now } = deps;
  const stop = new AbortController();
  let isFirstLook = true;
  let timer: NodeJS.Timeout | undefined;
  const duty = leases.keep("backups", () => {
    isFirstLook = true;
    // None before the start, and none in the middle of a look, which looks again soon.
    if (timer) lookLater(0);
  });
  let running: Promise<void> = Promise.resolve();

  /** The owner gets one mail about a fault, and one when it is over. */
  async function tell(db: Queryable, kind: RunKind, id: number, result: RunResult): Promise<void> {
    const isTold = await isFailureTold(db, kind, id);
    if (isTold === (result.status === "failed")) return;
    const owner = await deps.findOwner(db);
    if (!owner) return;
    const state = result.status === "failed" ? "failed" : "works";
    await deps.mail.queue(db, {
      kind: "backup_alarm",
      ...owner,
      what: kind,
      state,
      reason: result.message ?? "",
    });
    await markTold(db, id, now());
  }

  async function attempt(
    work: ScheduledWork,
    file: string | undefined,
    signal: AbortSignal,
  ): Promise<RunResult> {
    try {
      return await work.run(signal, file);
    } catch (error) {
      log.error({ err: error, kind: work.kind }, "a backup by the clock failed");
      const message = error instanceof Error ? error.message : String(error);
      // What was written before the fault stays, and is removed in its time.
      return { ...(await findWrittenBy(work, file)), status: "failed", message };
    }
  }

  async function findWrittenBy(work: ScheduledWork | undefined, file: string | null | undefined) {
    if (!file) return undefined;
    return work?.findWritten?.(file).catch(() => undefined); // the folder is gone, which the run says
  }

  /** It isn't tried again so soon. */
  function isFreshFailure(run: BackupRun | undefined): boolean {
    if (run?.status !== "failed") return false;
    return Math.abs(now().getTime() - Date.parse(run.began_at)) < AGAIN_MS;
  }

  /**
   * Runs of a process that ended in their middle, or whose end could not be written down. @returns the kinds that are to be done
   * again at once: not one that ended so before, as what ends its process would.
   */
  async function settleCutOff(): Promise<Set<RunKind>> {
    const again = new Set<RunKind>();
    for (const { id, kind, file } of await selectRunning(pool)) {
      const work = works.find((other) => other.kind === kind);
      if (!isFreshFailure((await selectLatest(pool, kind)).last)) again.add(kind);
      const message = "The server was stopped meanwhile.";
      await endRun(pool, id, (await findWrittenBy(work, file)) ?? { status: "failed", message }, now());
    }
    return again;
  }

  async function doIfDue(work: ScheduledWork, isCutOff: boolean): Promise<void> {
    const at = now();
    const { last, done } = await selectLatest(pool, work.kind);
    if (isFreshFailure(last) && !isCutOff) return;
    if (!(await work.isDue(pool, done && new Date(done.began_at), at))) return;
    const file = work.toFile?.(at);
    const id = await beginRun(pool, { kind: work.kind, file, now: at });
    const signal = AbortSignal.any([stop.signal, duty.signal]);
    const result = await attempt(work, file, signal);
    // A stop is nobody's fault: it is done after the next start. So is work that went to another process.
    if (signal.aborted && result.status === "failed" && !result.file) return deleteRun(pool, id);
    await withTransaction(pool, async (db) => {
      await endRun(db, id, result, now());
      await tell(db, work.kind, id, result);
    });
    log.info(
      { kind: work.kind, status: result.status, file: result.file, bytes: result.byteSize },
      "a backup by the clock ended",
    );
  }

  async function look(): Promise<void> {
    if (!duty.isMine()) return;
    const cutOff = await settleCutOff();
    if (isFirstLook) for (const work of works) await work.cleanUp?.();
    isFirstLook = false;
    for (const work of works)
      if (!stop.signal.aborted && duty.isMine()) await doIfDue(work, cutOff.has(work.kind));
    await deleteOldRuns(pool, new Date(now().getTime() - KEPT_MS));
  }

  function lookLater(waitMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      running = look()
        .catch((error: unknown) => log.error({ err: error }, "backups can't be looked after now"))
        .then(() => {
          if (!stop.signal.aborted) lookLater(LOOK_EVERY_MS);
        });
    }, waitMs).unref();
  }

  return {
    start: () => lookLater(FIRST_LOOK_MS),
    look,
    async close() {
      stop.abort(new Error("The server was stopped meanwhile."));
      clearTimeout(timer);
      await running;
      await duty.giveUp();
    },
  };
}
