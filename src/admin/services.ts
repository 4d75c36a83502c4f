import type {
  AccessControlProvider,
  AuthProvider,
  DataProvider,
  I18nProvider,
  LiveProvider,
} from "@refinedev/core";
import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useMemo } from "react";
import type { ModelInfo } from "#contract/content/models.ts";
import type { UploadAnswer } from "#contract/content/objects.ts";
import type { Session } from "#providers/http/session.ts";
import type { Permissions } from "#providers/refine/permissions.ts";
import type { Socket } from "#providers/socket/socket.ts";

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

/** What the console uses beside Refine's data calls. Passed in, so that tests can pass their own. */
export interface AdminServices {
  /** Uploads one file for a field; `onProgress` gets 0 to 1. Throws the provider's HttpError. */
  upload(
    target: { model: number; field: string; file: File },
    options: { onProgress: (part: number) => void; signal: AbortSignal },
  ): Promise<UploadAnswer>;
  /** Opens an answer as a stream, for downloads; with a `body` by POST. Throws the provider's HttpError. */
  download(path: string, options: { signal: AbortSignal; body?: unknown }): Promise<Response>;
  /** Who is signed in, or null; followed while it changes. */
  session: Pick<Session, "subscribe" | "getAuthState" | "signIn" | "restore">;
  /** What they may do; asked once. */
  permissions: Permissions;
  /** Whether live events reach this page. */
  socket: Pick<Socket, "subscribe" | "getStatus" | "tryNow">;
}

export const ServicesContext = createContext<AdminServices | undefined>(undefined);

export function useServices(): AdminServices {
  const services = useContext(ServicesContext);
  if (!services) throw new Error("ServicesContext is missing");
  return services;
}

/** What the signed-in person may do with a model such as `accounts.user`, and its number where the back end names one. */
export function useModelPermissions(model: string): {
  permissions: ModelInfo["permissions"];
  contentTypeId: number | undefined;
} {
  const { permissions } = useServices();
  return useMemo(
    () => ({
      permissions: {
        view: permissions.can("view", model),
        create: permissions.can("create", model),
        update: permissions.can("update", model),
        delete: permissions.can("delete", model),
      },
      contentTypeId: permissions.findContentType?.(model),
    }),
    [permissions, model],
  );
}
