import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { dashboardAnswer } from "#contract/dashboard.ts";
import type { Floor } from "#server/floor.ts";
import { SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import type { App } from "#server/http/zod.ts";
import { createDashboard, type DashboardDeps } from "./service.ts";

/** The dashboard: `GET /api/admin/dashboard/`. */
export function openDashboard(app: App, floor: Floor, deps: Omit<DashboardDeps, "db" | "now">): void {
  const dashboard = createDashboard({ ...deps, db: floor.pool, now: floor.now });
  app.get(
    "/api/admin/dashboard/",
    {
      onRequest: [noStore, floor.requireLevel(ACCESS_LEVEL.admin)],
      schema: {
        tags: ["dashboard"],
        security: SIGNED_IN,
        summary: "Figures, newest actions and models",
        response: { 200: dashboardAnswer },
      },
    },
    (request) => dashboard.get(toCaller(request)),
  );
}
