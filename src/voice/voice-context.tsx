import { createContext, use } from "react";
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
  /** Asks for the password over the screen. @returns whether there is a session again. */
  signInAgain: () => Promise<boolean>;
}

export const VoiceServicesContext = createContext<VoiceServices | null>(null);

export function useVoiceServices(): VoiceServices {
  const services = use(VoiceServicesContext);
  if (!services) throw new Error("useVoiceServices is called outside of VoiceServicesContext.");
  return services;
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
