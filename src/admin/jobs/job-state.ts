import type { Job } from "#contract/content/bulk.ts";
import type { Language } from "#contract/languages.ts";

export function isUnfinished({ status }: Pick<Job, "status">): boolean {
  return status === "queued" || status === "running" || status === "cancelling";
}

/** 0 to 1. A job of rows that have all gone meanwhile has nothing to do and is done. */
export function toPart({ done_count, total_count, status }: Job): number {
  if (total_count > 0) return Math.min(1, done_count / total_count);
  return status === "done" ? 1 : 0;
}

const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

/** How long a job has worked, from its first row to its last or until now: `1 hr 4 min`, `12 sec`. */
export function toDurationText(job: Job, nowMs: number, lang: Language): string | undefined {
  if (job.started_at === null) return undefined;
  const endMs = job.finished_at === null ? nowMs : Date.parse(job.finished_at);
  const total = Math.max(0, Math.round((endMs - Date.parse(job.started_at)) / SECOND_MS));
  const parts = [
    { unit: "hour", value: Math.floor(total / HOUR_S) },
    { unit: "minute", value: Math.floor((total % HOUR_S) / MINUTE_S) },
    { unit: "second", value: total % MINUTE_S },
  ];
  const first = parts.findIndex(({ value }) => value > 0);
  // Two units say enough.
  return parts
    .slice(first < 0 ? -1 : first)
    .slice(0, 2)
    .filter(({ value }, index) => value > 0 || index === 0)
    .map(({ unit, value }) =>
      new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "short" }).format(value),
    )
    .join(" ");
}

/** At most one request a second, however many jobs run. */
const PAUSE_MS = 1000;
const PAUSE_MAX_MS = 8000;

/** What is known of the jobs, and how the asking for news goes. */
export interface JobsState {
  /** Newest first. */
  jobs: readonly Job[];
  /** Requests for one job since the list was read; they take turns. */
  turn: number;
  /** Requests one after the other that brought no news. */
  quiet: number;
}

export function startState(jobs: readonly Job[]): JobsState {
  return { jobs, turn: 0, quiet: 0 };
}

/** The job that is asked for next; undefined: none runs. */
export function getNextJob({ jobs, turn }: JobsState): Job | undefined {
  const running = jobs.filter(isUnfinished);
  return running[turn % running.length];
}

function hasNews(before: Job | undefined, after: Job): boolean {
  return before?.status !== after.status || before.done_count !== after.done_count;
}

/** The state with what was received of one job, which may be new. */
export function withJob(state: JobsState, job: Job): JobsState {
  const before = state.jobs.find(({ id }) => id === job.id);
  const jobs = before ? state.jobs.map((known) => (known.id === job.id ? job : known)) : [job, ...state.jobs];
  return { jobs, turn: state.turn + 1, quiet: hasNews(before, job) ? 0 : state.quiet + 1 };
}

/** Milliseconds until the next request; false: nothing runs, so nothing changes by itself. */
export function toPauseMs(state: JobsState | undefined): number | false {
  if (!state?.jobs.some(isUnfinished)) return false;
  return Math.min(PAUSE_MS * 2 ** Math.max(0, state.quiet - 1), PAUSE_MAX_MS);
}

/** Jobs that were under way before and are over now. */
export function findEnded(before: readonly Job[], after: readonly Job[]): readonly Job[] {
  const running = new Set(before.filter(isUnfinished).map(({ id }) => id));
  return after.filter((job) => running.has(job.id) && !isUnfinished(job));
}
