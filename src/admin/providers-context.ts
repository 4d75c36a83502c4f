import type {
  AccessControlProvider,
  AuthProvider,
  DataProvider,
  I18nProvider,
  LiveProvider,
} from "@refinedev/core";
import type { QueryClient } from "@tanstack/react-query";
import { createContext } from "react";

/** What Refine runs on, made once in main.tsx, or by a test. */
export interface AdminProviders {
  queryClient: QueryClient;
  dataProvider: DataProvider;
  authProvider: AuthProvider;
  accessControlProvider: AccessControlProvider;
  i18nProvider: I18nProvider;
  liveProvider: LiveProvider;
}

// The type has no empty value; main.tsx and tests always provide one.
export const ProvidersContext = createContext<AdminProviders>(null as unknown as AdminProviders);
