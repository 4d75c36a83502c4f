import type { Job } from "#contract/bulk.ts";
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
  // Two units tell enough.
  return parts
    .slice(first < 0 ? -1 : first)
    .slice(0, 2)
    .filter(({ value }, index) => value > 0 || index === 0)
    .map(({ unit, value }) =>
      new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "short" }).format(value),
    )
    .join(" ");
}
