import { useCustom } from "@refinedev/core";
import { useState, useSyncExternalStore } from "react";
import { type HealthAnswer, healthAnswer } from "#contract/health.ts";
import { useServices } from "../services.ts";

const REFRESH_MS = 10_000;
/** While the sending domain is looked up, which takes seconds. */
const SOON_MS = 2_000;

/** A signed-in person, without whom the call would be refused. */
function useHasSession(): boolean {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, () => session.getAuthState() !== null);
}

/** How the site is, asked again every ten seconds while the page is seen and nobody has paused it. */
export function useHealth() {
  const hasSession = useHasSession();
  const [isPaused, setPaused] = useState(false);
  const { query } = useCustom<HealthAnswer>({
    url: "/api/health/",
    method: "get",
    queryOptions: {
      enabled: hasSession,
      refetchInterval({ state }) {
        const isChecking = healthAnswer.safeParse(state.data?.data).data?.sending_domain?.is_checking;
        if (isChecking) return SOON_MS;
        return isPaused ? false : REFRESH_MS;
      },
      // Intervals rest in a hidden page; whoever comes back to it wants to know at once.
      refetchOnWindowFocus: isPaused ? false : "always",
      select: ({ data }) => ({ data: healthAnswer.parse(data) }),
    },
    errorNotification: false,
  });
  return { query, health: query.data?.data, hasSession, isPaused, setPaused };
}
