import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { dashboardAnswer } from "#contract/dashboard.ts";
import { type RequireLevel, SIGNED_IN } from "#server/http/bearer.ts";
import { toCaller } from "#server/http/caller.ts";
import { noStore } from "#server/http/no-store.ts";
import type { App } from "#server/http/zod-compiler.ts";
import type { Dashboard } from "./service.ts";

/** `GET /api/admin/dashboard/` */
export function registerDashboardRoutes(
  app: App,
  { dashboard, requireLevel }: { dashboard: Dashboard; requireLevel: RequireLevel },
): void {
  app.get(
    "/api/admin/dashboard/",
    {
      onRequest: [noStore, requireLevel(ACCESS_LEVEL.admin)],
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
