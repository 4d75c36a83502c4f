import type { HealthAnswer, ProcessAnswer, SendingDomainAnswer } from "#contract/health.ts";
import type { Language } from "#contract/languages.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { isDatabaseFull } from "#server/http/error-handler.ts";
import {
  type ClusterState,
  checkCache,
  checkDatabase,
  checkFileStorage,
  checkKeys,
  checkOutbox,
  checkProcesses,
  checkSendingDomain,
  type Disk,
  type OutboxFacts,
  type ProbedStorage,
  type SendingDomain,
  toDiskUsage,
  toDomainAnswer,
} from "./checks.ts";
import { type Finding, runCheck, toFindingText, toWorst } from "./finding.ts";
import { NO_RECORDS, type Records, readAvailability, readRecords } from "./records.ts";
import { createResponseTimes, createSampler, type ResponseTimes, type Sampler } from "./sampler.ts";

export type { Finding, SendingDomain };

const CHECK_LIMIT_MS = 3_000;
/** Past the next sample, which is a write each minute: while the disk is full it fails again. */
const FULL_SAID_MS = 75_000;
/** A caller that asks within this gets the answer to an earlier one. */
const CACHED_MS = 5_000;

export interface HealthDeps {
  db: Queryable;
  /** What its samples are kept under. */
  processLabel: string;
  feed: { isLive(): boolean };
  storage: ProbedStorage;
  readDisk: () => Promise<Disk>;
  readOutbox: () => Promise<{ pending: number } & OutboxFacts>;
  /** What voice rooms reach each other by; caches its answer itself. Undefined: nothing is said of it. */
  checkRelay?: (() => Promise<Finding>) | undefined;
  /** The mail server's say on return paths. It has a line only where it is not as wanted. */
  checkReturnPath?: (() => Promise<Finding>) | undefined;
  /** How backups are; undefined: nothing is said of them. */
  checkBackups?: (() => Promise<Finding>) | undefined;
  /** When the key that signs was made. It has a line only where it is too old; undefined: nothing is said of it. */
  readKeyDate?: (() => Promise<Date>) | undefined;
  /** What other processes that run don't share, by the settings that would share it. It has a line only where there is such. */
  listUnshared?: (() => Promise<readonly { setting: string }[]>) | undefined;
  /** Tables that can't be read; undefined: there are none. */
  checkTables?: (() => Finding | undefined) | undefined;
  /** Whether the audit log is as it was sealed; undefined: it is, as far as is known. */
  checkAudit?: (() => Finding | undefined) | undefined;
  /** What is known of the files in it: healthy, with when they were last read, or what is wrong with them. */
  checkFiles?: (() => Promise<Finding>) | undefined;
  /** What mixes large voice rooms; left out where the site has nothing that does. */
  checkVoiceEngine?: (() => Promise<Finding>) | undefined;
  /** Left out where the site sends no mail. */
  sendingDomain?: SendingDomain | undefined;
  /** Left out where the site is one process. */
  listProcesses?: (() => Promise<ProcessAnswer[]>) | undefined;
  /** The other processes of the site; undefined: nothing is said of them. */
  cluster?: { getState(): ClusterState } | undefined;
  checkProxies: () => Finding | undefined;
  serverVersion: string;
  hasVersionCheck: boolean;
  now: () => Date;
  steadyMs: () => number;
  log: { warn(details: object, message: string): void };
}

/** How the site is, all of it measured. */
export interface Health {
  check(lang: Language): Promise<HealthAnswer>;
  /** Looks the sending domain up again, behind the answer. @throws AppError not_found, too_many_requests */
  checkDomainAgain(lang: Language): SendingDomainAnswer;
  /** Share of the recorded minutes of the last 30 days in which the site ran; null with less than an hour of records. */
  getAvailability(): Promise<number | null>;
  times: ResponseTimes;
  /** A write found no room on the database's disk just now. */
  noteDatabaseFull(): void;
  sampler: Sampler;
}

interface Measured {
  at: Date;
  findings: Record<"database" | "cache" | "file_storage" | "outbox", Finding> & {
    return_path?: Finding;
    voice_relay?: Finding;
    voice_engine?: Finding;
    backup?: Finding;
    tables?: Finding;
    audit?: Finding;
    keys?: Finding;
    processes?: Finding;
  };
  outbox: HealthAnswer["outbox"];
  disk: Disk | null;
  records: Records;
}

/** What was never set up or not looked up yet, mails that go by the sender's address, and a backup that is still to come: the row says it, the site works. */
const SAID_ONLY: ReadonlySet<unknown> = new Set([
  "relay_none",
  "domain_waits",
  "domain_unknown",
  "return_path_webhooks",
  "return_path_folder",
  "return_path_mailbox",
  "backup_none",
]);
const makesUnwell = ({ reason }: Finding) => !SAID_ONLY.has(reason);

const DATABASE_FULL: Finding = { status: "critical", reason: "database_disk_full" };

/** Caches what a call gave for a while; calls at one time share it. */
function cache<Answer>(read: () => Promise<Answer>, clock: () => number): () => Promise<Answer> {
  let cached: { at: number; answer: Promise<Answer> } | undefined;
  return () => {
    if (cached && clock() - cached.at < CACHED_MS) return cached.answer;
    const mine = { at: clock(), answer: read() };
    cached = mine;
    mine.answer.catch(() => {
      if (cached === mine) cached = undefined;
    });
    return mine.answer;
  };
}

export function createHealth(deps: HealthDeps): Health {
  const { db, now, log } = deps;
  const times = createResponseTimes();
  let fullAt: number | undefined;
  const noteDatabaseFull = () => {
    fullAt = now().getTime();
  };
  /** Reading goes on while every write fails. */
  const isFull = () => fullAt !== undefined && Math.abs(now().getTime() - fullAt) < FULL_SAID_MS;

  const report = (error: unknown) => log.warn({ err: error }, "a health check failed");
  const check = (run: () => Promise<Finding>, failed: Finding) =>
    runCheck(run, failed, CHECK_LIMIT_MS, report);

  async function measure(): Promise<Measured> {
    const at = now();
    const disk = await deps.readDisk().catch((error: unknown) => {
      report(error);
      return null;
    });
    let outbox: Measured["outbox"] = null;
    const { checkReturnPath, checkRelay, checkVoiceEngine, checkBackups, readKeyDate, listUnshared } = deps;
    const [database, fileStorage, mail, returnPath, relay, engine, backup, keys, processes] =
      await Promise.all([
        isFull()
          ? DATABASE_FULL
          : check(() => checkDatabase(db), { status: "critical", reason: "database_gone" }),
        check(
          async () => {
            const [storage, files] = await Promise.all([
              checkFileStorage(deps.storage, disk),
              // Without its database nothing is known of them, and the storage is as it is.
              deps.checkFiles?.().catch(report),
            ]);
            const worst = toWorst([storage, ...(files ? [files] : [])]);
            return worst.status === "healthy" && files ? files : worst;
          },
          { status: "critical", reason: "storage_refuses" },
        ),
        check(
          async () => {
            const { failed, restored, ...state } = await deps.readOutbox();
            outbox = state;
            return checkOutbox({ ...state, failed, restored });
          },
          { status: "unknown", reason: "outbox_unknown" },
        ),
        checkReturnPath && check(checkReturnPath, { status: "unknown", reason: "return_path_unknown" }),
        checkRelay && check(checkRelay, { status: "unknown", reason: "relay_unknown" }),
        checkVoiceEngine && check(checkVoiceEngine, { status: "unknown", reason: "engine_unknown" }),
        checkBackups && check(checkBackups, { status: "unknown", reason: "backup_unknown" }),
        readKeyDate && check(() => checkKeys(readKeyDate, at), { status: "unknown", reason: "keys_unknown" }),
        listUnshared &&
          check(() => checkProcesses(listUnshared, deps.cluster?.getState()), {
            status: "unknown",
            reason: "processes_unknown",
          }),
      ]);
    const tables = deps.checkTables?.();
    const audit = deps.checkAudit?.();
    const findings = {
      database,
      cache: checkCache(deps.feed),
      file_storage: fileStorage,
      outbox: mail,
      ...(returnPath?.reason && { return_path: returnPath }),
      ...(relay && { voice_relay: relay }),
      ...(engine && { voice_engine: engine }),
      ...(backup && { backup }),
      ...(tables && { tables }),
      ...(audit && { audit }),
      ...(keys?.reason && { keys }),
      ...(processes?.reason && { processes }),
    };
    // Without its database the site still says how the rest is; a full one can be read.
    const isGone = database !== DATABASE_FULL && ["critical", "unknown"].includes(database.status);
    const records = isGone ? NO_RECORDS : await readRecords(db, times, at);
    return { at, findings, outbox, disk, records };
  }
  const getMeasured = cache(measure, deps.steadyMs);
  const getProcesses = cache(deps.listProcesses ?? (async () => []), deps.steadyMs);

  return {
    times,
    noteDatabaseFull,
    getAvailability: () => readAvailability(db, now()),
    sampler: createSampler({
      db,
      processLabel: deps.processLabel,
      times,
      readDisk: deps.readDisk,
      now,
      log,
      onFailure: (error) => isDatabaseFull(error) && noteDatabaseFull(),
    }),
    async check(lang) {
      const [{ at, outbox, disk, records, ...measured }, processes] = await Promise.all([
        getMeasured(),
        getProcesses(),
      ]);
      const { sendingDomain } = deps;
      const proxy = deps.checkProxies();
      const findings: Record<string, Finding> = {
        ...measured.findings,
        ...(sendingDomain && { sending_domain: checkSendingDomain(sendingDomain) }),
        ...(proxy && { proxy }),
      };
      const services = Object.fromEntries(
        Object.entries(findings).map(([name, finding]) => [
          name,
          { status: finding.status, message: toFindingText(finding, lang) },
        ]),
      );
      return {
        overall_status: toWorst(Object.values(findings).filter(makesUnwell)).status,
        services,
        response_time: records.responseTime,
        ...records.trends,
        memory_usage: process.memoryUsage.rss(),
        disk_usage: disk && toDiskUsage(disk),
        uptime: process.uptime(),
        server_version: deps.serverVersion,
        version_check: deps.hasVersionCheck,
        node_version: process.version.slice(1),
        ...(records.databaseVersion !== undefined && { database_version: records.databaseVersion }),
        last_check: at.toISOString(),
        availability: records.availability,
        history: records.history,
        outbox,
        sending_domain: sendingDomain ? toDomainAnswer(sendingDomain, lang) : null,
        ...(processes.length > 0 && { processes }),
      };
    },
    checkDomainAgain(lang) {
      const { sendingDomain } = deps;
      if (!sendingDomain) throw new AppError("not_found");
      const retryAfterS = sendingDomain.checkAgain();
      if (retryAfterS !== undefined) throw new AppError("too_many_requests", { retryAfterS });
      return toDomainAnswer(sendingDomain, lang);
    },
  };
}
