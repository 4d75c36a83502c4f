import { Refine, type RefineProps } from "@refinedev/core";
import type { QueryClient } from "@tanstack/react-query";
import { App } from "antd";
import { type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useState } from "react";
import { createNotificationProvider } from "#providers/refine/notification.ts";
import { RESOURCES as ALL_RESOURCES } from "#resources/all.ts";
import { mailboxResource } from "#resources/screens.ts";
import { AdminCacheContext, createAdminCache } from "./cache/admin-cache.ts";
import { markStaleAfterWrites } from "./cache/freshness.ts";
import { clearOnLeaving } from "./cache/leaving.ts";
import { createLiveLists, LiveListsContext } from "./cache/live-lists.ts";
import { HAS_MAILBOX } from "./navigation/screens.tsx";
import { routerProvider } from "./router-provider.ts";
import { ProvidersContext, useServices } from "./services.ts";

const RESOURCES = ALL_RESOURCES.filter(({ name }) => HAS_MAILBOX || name !== mailboxResource.name);

type Options = NonNullable<RefineProps["options"]>;

/**
 * `pessimistic`: a write is done when the server says so. Refine's undo is a timer of this page: closed in time, it never
 * sends the call. The list views own the query of the address, and UnsavedGuard asks about typed things.
 */
function buildOptions(queryClient: QueryClient): Options {
  // The same class at run time; Refine's types see it through the package's CommonJS declarations.
  const clientConfig = queryClient as unknown as NonNullable<
    NonNullable<Options["reactQuery"]>["clientConfig"]
  >;
  return {
    disableTelemetry: true,
    mutationMode: "pessimistic",
    syncWithLocation: false,
    warnWhenUnsavedChanges: false,
    reactQuery: { clientConfig },
  };
}

/** Rules and statistics of the admin data cache, for as long as the console is on the screen. */
function AdminCacheProvider({ children }: { children: ReactNode }) {
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

/** Refine around the screens, inside the router, so that its hooks can navigate. */
export function AdminRefine({ children }: { children: ReactNode }) {
  const { queryClient, ...providers } = useContext(ProvidersContext);
  const { notification } = App.useApp();
  const notificationProvider = useMemo(() => createNotificationProvider(() => notification), [notification]);
  const options = useMemo(() => buildOptions(queryClient), [queryClient]);
  return (
    <Refine
      {...providers}
      notificationProvider={notificationProvider}
      routerProvider={routerProvider}
      resources={RESOURCES}
      options={options}
    >
      <AdminCacheProvider>{children}</AdminCacheProvider>
    </Refine>
  );
}
