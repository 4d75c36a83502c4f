import type { DayCount } from "./store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The day of a moment in UTC, `YYYY-MM-DD`. */
function toDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The last days up to today, oldest first. */
export function toLastDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    toDay(new Date(now.getTime() - (count - 1 - index) * DAY_MS)),
  );
}

/**
 * Counts per day of a growing log. Days that are over are counted once and kept; today is counted each time. A million entries
 * are so counted once in a process's life, and not for each look at the dashboard.
 */
export function createDailyCounts(
  read: (sinceDay: string) => Promise<DayCount[]>,
): (days: readonly string[]) => Promise<ReadonlyMap<string, number>> {
  const kept = new Map<string, number>();
  return async (days) => {
    const today = days.at(-1);
    const since = days.find((day) => day === today || !kept.has(day));
    if (today === undefined || since === undefined) return new Map();
    const counted = new Map((await read(since)).map(({ day, count }) => [day, count]));
    for (const day of days) if (day >= since) kept.set(day, counted.get(day) ?? 0);
    for (const day of kept.keys()) if (day < (days[0] ?? "")) kept.delete(day);
    const answer = new Map(kept);
    // Today isn't over.
    kept.delete(today);
    return answer;
  };
}
