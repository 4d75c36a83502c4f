import { randomBytes } from "node:crypto";
import { statfs } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { DomainFindingAnswer, SendingDomainAnswer } from "#contract/health.ts";
import type { Language } from "#contract/languages.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type Finding, type FindingText, HEALTHY, toFindingText, toWorst } from "./finding.ts";

/** A disk in bytes. `free` is what the server may still use: less than what is not used where some is reserved. */
export interface Disk {
  used: number;
  free: number;
}

/** Reads the disk that a folder is on. */
export async function readDisk(folder: string): Promise<Disk> {
  const { bsize, blocks, bfree, bavail } = await statfs(folder);
  return { used: (blocks - bfree) * bsize, free: bavail * bsize };
}

/** Share of a disk that is used, 0 to 1. */
export function toDiskUsage({ used, free }: Disk): number {
  return used + free > 0 ? used / (used + free) : 0;
}

/** Where files are, as far as a probe goes. */
export interface ProbedStorage {
  put(key: string, content: Uint8Array): Promise<void>;
  open(key: string): Promise<{ stream: Readable } | undefined>;
  delete(key: string): Promise<void>;
}

const SLOW_DATABASE_MS = 250;
const FULL_CONNECTIONS_SHARE = 0.9;
const GB = 1e9;
const MINUTE_S = 60;
const HOUR_S = 3600;

/** The database answers, takes writes, and has connections left. */
export async function checkDatabase(db: Queryable): Promise<Finding> {
  const begin = performance.now();
  const { rows } = await db.query<{ is_read_only: boolean; used: number; max: number }>(
    `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_read_only,
       (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
       current_setting('max_connections')::integer AS max`,
  );
  const ms = Math.round(performance.now() - begin);
  const { is_read_only = false, used = 0, max = 1 } = rows[0] ?? {};
  if (is_read_only) return { status: "critical", reason: "database_read_only" };
  if (used >= max * FULL_CONNECTIONS_SHARE)
    return { status: "warning", reason: "database_full", vars: { used, max } };
  return ms > SLOW_DATABASE_MS ? { status: "warning", reason: "database_slow", vars: { ms } } : HEALTHY;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A key that leaked and nobody noticed is good for no longer, where its owner listens. */
const KEY_DAYS_MAX = 365;

/** How old the key is that sign-ins are signed with. */
export async function checkKeys(readKeyDate: () => Promise<Date>, now: Date): Promise<Finding> {
  const days = Math.floor((now.getTime() - (await readKeyDate()).getTime()) / DAY_MS);
  if (!(days > KEY_DAYS_MAX)) return HEALTHY;
  return { status: "warning", reason: "keys_old", vars: { days } };
}

/** Whether the processes of the site reach each other. */
export interface ClusterState {
  isUp: boolean;
  /** What carries it, without its password. */
  server: string;
  /** This one too. */
  processes: number;
  /** Those that use the database, and aren't met. */
  missing: number;
}

/**
 * Whether the processes of the site reach each other (`cluster`; undefined: they have nothing to do it by), and everything is shared with
 * those that run. `listUnshared`: what isn't, by the settings that would share it.
 */
export async function checkProcesses(
  listUnshared: () => Promise<readonly { setting: string }[]>,
  cluster?: ClusterState,
): Promise<Finding> {
  if (cluster && !cluster.isUp)
    return { status: "warning", reason: "processes_apart", vars: { server: cluster.server } };
  if (cluster && cluster.missing > 0) {
    const { missing, server } = cluster;
    return { status: "warning", reason: "processes_missing", vars: { missing, server } };
  }
  const unshared = await listUnshared();
  if (unshared.length > 0) {
    const settings = unshared.map(({ setting }) => setting).join(", ");
    return { status: "warning", reason: "processes_unshared", vars: { settings } };
  }
  return cluster
    ? { status: "healthy", reason: "processes_up", vars: { processes: cluster.processes } }
    : HEALTHY;
}

/** How long an answer is shared by all who ask, however many. */
const READY_CACHED_MS = 1000;
/** A database that says nothing for this long doesn't answer. */
const READY_LIMIT_MS = 2000;

/**
 * Makes the question whether the database answers, by `ping`. One is under way at most: while it hangs, the answer is no, at once
 * for those who come later.
 */
export function createReadiness(
  ping: () => Promise<unknown>,
  now: () => Date,
  limitMs = READY_LIMIT_MS,
): () => Promise<boolean> {
  let cached: { at: number; answer: Promise<boolean> } | undefined;
  let isAsking = false;

  async function ask(): Promise<boolean> {
    isAsking = true;
    const asked = ping()
      .then(
        () => true,
        () => false, // the health page and whoever wants something of it log the error
      )
      .finally(() => {
        isAsking = false;
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, limitMs, false);
    });
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  }

  return () => {
    const at = now().getTime();
    // A clock that went back makes no answer last.
    if (cached && Math.abs(at - cached.at) < READY_CACHED_MS) return cached.answer;
    cached = { at, answer: isAsking ? Promise.resolve(false) : ask() };
    return cached.answer;
  };
}

/** Caches are used only while changes are received; without that everything is right, and slow. */
export function checkCache(feed: { isLive(): boolean }): Finding {
  return feed.isLive() ? HEALTHY : { status: "warning", reason: "cache_off" };
}

function checkDisk(disk: Disk | null): Finding {
  if (!disk) return { status: "unknown", reason: "disk_unknown" };
  const vars = {
    free: (disk.free / GB).toFixed(1),
    share: Math.round(100 * (1 - toDiskUsage(disk))),
  };
  const freeShare = 1 - toDiskUsage(disk);
  if (freeShare < 0.02 || disk.free < 0.2 * GB) return { status: "critical", reason: "disk_full", vars };
  return freeShare < 0.1 || disk.free < GB ? { status: "warning", reason: "disk_full", vars } : HEALTHY;
}

async function probe(storage: ProbedStorage): Promise<Finding> {
  const content = randomBytes(32);
  const key = `${randomBytes(16).toString("hex")}.txt`;
  try {
    await storage.put(key, content);
    const file = await storage.open(key);
    const chunks: Buffer[] = [];
    for await (const chunk of file?.stream ?? []) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).equals(content)
      ? HEALTHY
      : { status: "critical", reason: "storage_unreadable" };
  } finally {
    await storage.delete(key);
  }
}

/** @throws what is no fault of a store on another machine */
function toAway(error: unknown): Finding {
  if (!(error instanceof AppError) || error.code !== "files_unavailable") throw error;
  const { place = "", reason = "" } = error.vars as Record<string, string>; // both are texts
  return { status: "critical", reason: "storage_away", vars: { place, reason } };
}

/** A file can be written, read and deleted, and the disk has room. */
export async function checkFileStorage(storage: ProbedStorage, disk: Disk | null): Promise<Finding> {
  return toWorst([await probe(storage).catch(toAway), checkDisk(disk)]);
}

/** How long mails that are due have waited, in seconds; null: none waits. `restored`: held since a restore, null where there was none. */
export interface OutboxFacts {
  oldest_s: number | null;
  failed: number;
  restored: number | null;
}

export function checkOutbox({ oldest_s, failed, restored }: OutboxFacts): Finding {
  if (restored !== null) return { status: "warning", reason: "outbox_restored", vars: { count: restored } };
  if (oldest_s !== null && oldest_s > 5 * MINUTE_S) {
    const status = oldest_s > HOUR_S ? "critical" : "warning";
    return { status, reason: "outbox_late", vars: { minutes: Math.round(oldest_s / MINUTE_S) } };
  }
  return failed > 0 ? { status: "warning", reason: "outbox_failed", vars: { count: failed } } : HEALTHY;
}

/** What was found of one thing that receivers look up. */
interface DomainFinding {
  check: DomainFindingAnswer["check"];
  state: DomainFindingAnswer["state"];
  found: string | null;
  publish?: NonNullable<DomainFindingAnswer["publish"]>;
  reason: FindingText;
  vars?: Record<string, string | number>;
}

/** The domain that mail is sent from. Neither call waits for a look-up. */
export interface SendingDomain {
  domain: string;
  peek(): { report: { checkedAt: Date; findings: DomainFinding[] } | undefined; isChecking: boolean };
  /** Undefined: a look-up runs; else in how many seconds it may be asked for. */
  checkAgain(): number | undefined;
}

/** Never worse than a warning: a record that is missing stops no mail here. */
export function checkSendingDomain({ peek }: SendingDomain): Finding {
  const findings = peek().report?.findings ?? [];
  const wrong = findings.filter(({ state }) => state === "warning").map(({ check }) => check.toUpperCase());
  if (wrong.length > 0)
    return { status: "warning", reason: "domain_wrong", vars: { checks: wrong.join(", ") } };
  if (findings.length === 0) return { status: "unknown", reason: "domain_waits" };
  return findings.some(({ state }) => state === "good")
    ? HEALTHY
    : { status: "unknown", reason: "domain_unknown" };
}

export function toDomainAnswer({ domain, peek }: SendingDomain, lang: Language): SendingDomainAnswer {
  const { report, isChecking } = peek();
  return {
    domain,
    checked_at: report?.checkedAt.toISOString() ?? null,
    is_checking: isChecking,
    findings: (report?.findings ?? []).map((finding) => ({
      check: finding.check,
      state: finding.state,
      message: toFindingText(finding, lang),
      found: finding.found,
      publish: finding.publish ?? null,
    })),
  };
}
