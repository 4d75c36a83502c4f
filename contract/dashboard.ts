import * as z from "zod/mini";
import { actionEntry } from "./accounts/admin-users.ts";
import { modelInfo } from "./content/models.ts";

/** A figure and how it moved against the period before: fractions (0.1 is ten percent more); null: too little is known. */
const movingFigure = z.object({ value: z.number(), trend: z.nullable(z.number()) });

/** GET /api/admin/dashboard/ */
export const dashboardAnswer = z.object({
  stats: z.object({
    total_users: z.number(),
    total_actions: z.number(),
    /** The two above as lists mark them: the planner's estimate where there are many. */
    total_users_is_estimate: z.optional(z.boolean()),
    total_actions_is_estimate: z.optional(z.boolean()),
    available_models: z.number(),
    /** Share of the last 30 days (or of the time since the first record) that the site was up; null: too little is known. */
    uptime: z._default(z.nullable(z.number()), null),
    /** New users and actions of the last 30 days, against the 30 before. */
    new_users: z.optional(movingFigure),
    new_actions: z.optional(movingFigure),
  }),
  recent_actions: z.array(actionEntry),
  /** The first six that the person may see. */
  available_models: z.array(modelInfo),
  /** One entry a day, oldest first, 30 days. */
  activity: z._default(
    z.array(z.object({ date: z.string(), actions: z.number(), sign_ups: z.number() })),
    [],
  ),
});
export type DashboardAnswer = z.infer<typeof dashboardAnswer>;
