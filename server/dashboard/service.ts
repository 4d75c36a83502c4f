import type { ActionEntry } from "#contract/accounts/admin-users.ts";
import type { DashboardAnswer } from "#contract/dashboard.ts";
import type { Caller } from "#server/base/actor.ts";
import type { ContentService } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type DayCount, selectActionDays, selectSignUpDays } from "./store.ts";

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

const RECENT_ACTIONS = 10;
/** Dashboard models shown (specification B section 9). */
const MODELS_SHOWN = 6;
const PERIOD_DAYS = 30;

export interface DashboardDeps {
  db: Queryable;
  content: Pick<ContentService, "listModels">;
  /** The newest entries of the log that the person may see. */
  listActions: (caller: Caller, options: { pageSize: number }) => Promise<ActionEntry[]>;
  getAvailability: () => Promise<number | null>;
  now: () => Date;
}

export interface Dashboard {
  get(caller: Caller): Promise<DashboardAnswer>;
}

type Counts = ReadonlyMap<string, number>;

function sum(counts: Counts, days: readonly string[]): number {
  return days.reduce((total, day) => total + (counts.get(day) ?? 0), 0);
}

/** The last thirty days against the thirty before; without any before, there is nothing to compare with. */
function toMoving(counts: Counts, days: readonly string[]) {
  const value = sum(counts, days.slice(PERIOD_DAYS));
  const before = sum(counts, days.slice(0, PERIOD_DAYS));
  return { value, trend: before > 0 ? (value - before) / before : null };
}

export function createDashboard(deps: DashboardDeps): Dashboard {
  const { db, content, listActions, getAvailability, now } = deps;
  const countSignUps = createDailyCounts((since) => selectSignUpDays(db, since));
  /** One for each set of models that somebody may view. */
  const actionCounts = new Map<string, ReturnType<typeof createDailyCounts>>();

  function countActions(ids: readonly number[], days: readonly string[]): Promise<Counts> {
    const key = ids.join();
    const counts = actionCounts.get(key) ?? createDailyCounts((since) => selectActionDays(db, since, ids));
    actionCounts.set(key, counts);
    return counts(days);
  }

  return {
    async get(caller) {
      const days = toLastDays(now(), 2 * PERIOD_DAYS);
      const models = await content.listModels(caller);
      const ids = models.map((model) => model.content_type_id);
      const find = (app: string, name: string) =>
        models.find((model) => model.app_label === app && model.model_name === name);
      const [people, log] = [find("accounts", "user"), find("audit", "entry")];
      const [recent, uptime, actions, signUps] = await Promise.all([
        listActions(caller, { pageSize: RECENT_ACTIONS }),
        getAvailability(),
        countActions(ids, days),
        countSignUps(days),
      ]);
      return {
        stats: {
          total_users: people?.count ?? 0,
          total_actions: log?.count ?? 0,
          total_users_is_estimate: people?.count_is_estimate ?? false,
          total_actions_is_estimate: log?.count_is_estimate ?? false,
          available_models: models.length,
          uptime,
          new_users: toMoving(signUps, days),
          new_actions: toMoving(actions, days),
        },
        recent_actions: recent,
        available_models: models.slice(0, MODELS_SHOWN),
        activity: days.slice(PERIOD_DAYS).map((date) => ({
          date,
          actions: actions.get(date) ?? 0,
          sign_ups: signUps.get(date) ?? 0,
        })),
      };
    },
  };
}
