import { Refine, type RefineProps, type RouterProvider } from "@refinedev/core";
import type { QueryClient } from "@tanstack/react-query";
import { App } from "antd";
import { type ReactNode, useCallback, useContext, useMemo } from "react";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import { createNotificationProvider } from "#providers/refine/notification.ts";
import { RESOURCES as ALL_RESOURCES } from "#resources/all.ts";
import { mailboxResource } from "#resources/screens.ts";
import { AdminCacheProvider } from "./cache/admin-cache-provider.tsx";
import { HAS_MAILBOX } from "./navigation/screens.tsx";
import { ProvidersContext } from "./services.ts";

/**
 * The four things that Refine asks of a router. Its own binding for react-router writes query strings without encoding
 * (`R&D #1` comes back as `R`), and reads filters out of them; here the list views own the query, Refine never sees it.
 */
const routerProvider: RouterProvider = {
  go: () => {
    const navigate = useNavigate();
    return useCallback(
      ({ to, type }) => {
        if (type === "path") return to ?? "";
        if (to !== undefined) void navigate(to, { replace: type === "replace" });
        return undefined;
      },
      [navigate],
    );
  },
  back: () => {
    const navigate = useNavigate();
    return useCallback(() => void navigate(-1), [navigate]);
  },
  parse: () => {
    const { pathname } = useLocation();
    const params = useParams();
    return useCallback(() => ({ pathname, params }), [pathname, params]);
  },
  Link,
};

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
