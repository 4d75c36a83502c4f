import { createContext, useContext } from "react";
import type { UploadAnswer } from "#contract/models.ts";
import type { Permissions } from "#providers/permissions.ts";
import type { Session } from "#providers/session.ts";
import type { Socket } from "#providers/socket.ts";

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
