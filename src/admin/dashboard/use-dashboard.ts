import { useCustom } from "@refinedev/core";
import { type DashboardAnswer, dashboardAnswer } from "#contract/dashboard.ts";
import { completeDashboard } from "#providers/documented-model.ts";
import { ADMIN_API } from "#providers/endpoints.ts";

/** A dashboard that stays open keeps itself up to date; the library pauses while nobody sees the page. */
const REFRESH_MS = 60_000;

/** The figures, fetched anew at each visit; those of the last visit stand until then. */
export function useDashboard() {
  const { query } = useCustom<DashboardAnswer>({
    url: `${ADMIN_API}/dashboard/`,
    method: "get",
    queryOptions: {
      refetchInterval: REFRESH_MS,
      select: ({ data }) => ({ data: dashboardAnswer.parse(completeDashboard(data)) }),
    },
    errorNotification: false,
  });
  return { query, dashboard: query.data?.data };
}
