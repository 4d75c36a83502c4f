import type { Queryable } from "#server/db/pool.ts";
import type { Finding } from "#server/health/service.ts";
import { canRehearse } from "./rehearse.ts";
import { type BackupRun, selectLatest } from "./run-store.ts";
import { findNextDue, type TimeOfDay } from "./schedule.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Two days and a little: a site that was off for a night isn't late. */
const LATE_MS = 50 * HOUR_MS;

/** As the clock of the server shows it: `2026-11-26 03:30`. */
export function toLocalTime(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
  return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

export const toMegabytes = (byteSize: number | null) => ((byteSize ?? 0) / 1e6).toFixed(1);

const toSeconds = ({ began_at, ended_at }: BackupRun) =>
  Math.max(1, Math.round((Date.parse(ended_at ?? began_at) - Date.parse(began_at)) / 1000));

export interface BackupStateDeps {
  db: Queryable;
  /** Undefined: the site makes none by itself. */
  time: TimeOfDay | undefined;
  folder: string;
  /** Title of the other place; undefined: copies go nowhere. */
  remote: string | undefined;
  now: () => Date;
}

function toFailure({ last, done }: Awaited<ReturnType<typeof selectLatest>>): Finding | undefined {
  if (last?.status !== "failed") return undefined;
  const vars = { reason: last.message ?? "", when: done ? toLocalTime(new Date(done.began_at)) : "–" };
  return { status: "critical", reason: `${last.kind}_failed`, vars };
}

/** How backups are, for the health page: where the last one is, when the next one comes, and whether one could be restored. */
export async function checkBackups({ db, time, folder, remote, now }: BackupStateDeps): Promise<Finding> {
  if (!time && remote) return { status: "warning", reason: "backup_off_copies", vars: { where: remote } };
  if (!time) return { status: "healthy", reason: "backup_off" };
  const backups = await selectLatest(db, "backup");
  const rehearsals = await selectLatest(db, "rehearsal");
  const copies = await selectLatest(db, "copy");
  const failure = toFailure(backups) ?? (remote ? toFailure(copies) : undefined) ?? toFailure(rehearsals);
  if (failure) return failure;
  const at = now();
  const next = toLocalTime(findNextDue(at, time));
  const { done } = backups;
  if (!done) return { status: "unknown", reason: "backup_none", vars: { next } };
  const when = toLocalTime(new Date(done.began_at));
  if (at.getTime() - Date.parse(done.began_at) > LATE_MS)
    return { status: "critical", reason: "backup_late", vars: { when } };
  const isCopied = copies.done?.remote === remote && copies.done?.file === done.file;
  const where = remote && isCopied ? `${folder}, ${remote}` : folder;
  const vars = { when, size: toMegabytes(done.byte_size), where, next };
  if (!rehearsals.done) {
    const canTry = await canRehearse(db);
    return { status: "healthy", reason: canTry ? "backup_good" : "backup_untried", vars };
  }
  const rehearsed = {
    rehearsed: toLocalTime(new Date(rehearsals.done.began_at)),
    seconds: toSeconds(rehearsals.done),
  };
  return { status: "healthy", reason: "backup_rehearsed", vars: { ...vars, ...rehearsed } };
}
