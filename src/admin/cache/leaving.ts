import type { Query, QueryClient } from "@tanstack/react-query";
import type { AdminServices } from "../services.ts";

type PageEvents = Pick<Window, "addEventListener" | "removeEventListener">;

const isUnused = (query: Query) => query.getObserversCount() === 0;

function forgetUnused(client: QueryClient): void {
  client.removeQueries({ predicate: isUnused });
}

/** What is on the screen is emptied in place, so that it can be fetched again where the browser brings the page back. */
function forgetAll(client: QueryClient): void {
  forgetUnused(client);
  for (const query of client.getQueryCache().getAll()) query.reset();
}

/**
 * Clears the cache when the person leaves /admin or logs out (specification B section 4). Browsers keep a left page for Back: it
 * comes back empty, asks whether its session still counts, and fetches what it shows.
 *
 * At the end of a session the screen keeps what it has: a form with typed things may go on after signing in again.
 */
export function clearOnLeaving(
  client: QueryClient,
  session: AdminServices["session"],
  page: PageEvents = window,
): () => void {
  const readUserId = () => session.getAuthState()?.user.id;
  let userId = readUserId();

  const onHide = () => forgetAll(client);
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    // A server that can't be asked now is no reason to stay empty: each query says for itself what went wrong.
    const refetch = () => void client.refetchQueries({ type: "active" });
    session.restore().then((state) => state && refetch(), refetch);
  };
  const stopFollowing = session.subscribe(() => {
    const next = readUserId();
    if (next === userId) return;
    forgetUnused(client);
    if (next !== undefined) void client.invalidateQueries();
    userId = next;
  });
  page.addEventListener("pagehide", onHide);
  page.addEventListener("pageshow", onShow);
  return () => {
    stopFollowing();
    page.removeEventListener("pagehide", onHide);
    page.removeEventListener("pageshow", onShow);
  };
}
