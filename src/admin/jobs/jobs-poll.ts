import type { Job } from "#contract/bulk.ts";
import { isUnfinished } from "./job-state.ts";

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

/** The state with what was heard of one job, which may be new. */
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
