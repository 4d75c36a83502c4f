import type { ActionEntry } from "#contract/admin-users.ts";
import type { DashboardAnswer } from "#contract/dashboard.ts";
import type { ContentService } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Caller } from "../base/actor.ts";
import { createDailyCounts, toLastDays } from "./days.ts";
import { selectActionDays, selectSignUpDays } from "./store.ts";

const RECENT_ACTIONS = 10;
/** Dashboard models shown (specification B section 9). */
const MODELS_SHOWN = 6;
const PERIOD_DAYS = 30;

export interface DashboardParts {
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

export function createDashboard(parts: DashboardParts): Dashboard {
  const { db, content, listActions, getAvailability, now } = parts;
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
