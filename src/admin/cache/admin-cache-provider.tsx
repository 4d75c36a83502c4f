import { type ReactNode, useContext, useEffect, useLayoutEffect, useState } from "react";
import { ProvidersContext, useServices } from "../services.ts";
import { AdminCacheContext, createAdminCache } from "./admin-cache.ts";
import { markStaleAfterWrites } from "./freshness.ts";
import { clearOnLeaving } from "./leaving.ts";
import { createLiveLists, LiveListsContext } from "./live-lists.ts";

/** Rules and statistics of the admin data cache, for as long as the console is on the screen. */
export function AdminCacheProvider({ children }: { children: ReactNode }) {
  const { queryClient, liveProvider } = useContext(ProvidersContext);
  const { session } = useServices();
  const [cache] = useState(() => createAdminCache(queryClient));
  const [lists] = useState(() => createLiveLists(queryClient, liveProvider));
  // Before the effects of the screens, which are the first to look something up.
  useLayoutEffect(() => cache.open(), [cache]);
  useEffect(() => clearOnLeaving(queryClient, session), [queryClient, session]);
  useEffect(() => markStaleAfterWrites(queryClient), [queryClient]);
  useEffect(() => lists.close, [lists]);
  return (
    <AdminCacheContext value={cache}>
      <LiveListsContext value={lists}>{children}</LiveListsContext>
    </AdminCacheContext>
  );
}
