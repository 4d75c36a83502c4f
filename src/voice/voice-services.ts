import { createContext, use, useEffect } from "react";
import type { Http } from "#providers/http.ts";
import type { Session } from "#providers/session.ts";
import type { Socket } from "#providers/socket.ts";

/** What the voice screens need of the browser; tests bring their own. */
export interface VoiceServices {
  session: Pick<Session, "getAuthState" | "subscribe">;
  /** Calls to the back end of voice, as the signed-in person. */
  http: Http;
  socket: Socket;
  /** While it is held, the end of the session leads nowhere. @returns how to let go. */
  hold: () => () => void;
  /** A call whose session has ended waits until the person has signed in again, in place. Rejects where they don't. */
  withSession: <T>(call: () => Promise<T>) => Promise<T>;
}

export const VoiceServicesContext = createContext<VoiceServices | null>(null);

export function useVoiceServices(): VoiceServices {
  const services = use(VoiceServicesContext);
  if (!services) throw new Error("useVoiceServices is called outside of VoiceServicesContext.");
  return services;
}

/** What is typed and not saved outlives the session. */
export function useHeld(isUnsaved: boolean): void {
  const { hold } = useVoiceServices();
  useEffect(() => (isUnsaved ? hold() : undefined), [isUnsaved, hold]);
}

/** The signed-in person, as far as voice rooms ask. A level that isn't known counts as 1 (specification B section 6). */
export function useOwnPerson(): { id: string; name: string; level: number; email: string } {
  const user = useVoiceServices().session.getAuthState()?.user;
  return {
    id: String(user?.id ?? ""),
    name: user?.username ?? "",
    email: user?.email ?? "",
    level: user?.access_level ?? 1,
  };
}
