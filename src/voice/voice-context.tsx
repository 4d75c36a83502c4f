import { createContext, type ReactNode, use, useMemo } from "react";
import type call from "#locales/en/call.json";
import type session from "#locales/en/session.json";
import type voice from "#locales/en/voice.json";
import type { Http } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import type { Socket } from "#providers/socket/socket.ts";
import { createText } from "#providers/text.ts";
import { usePage } from "../ui/page-context.tsx";
import type { TextKey } from "../ui/public-text.ts";

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

/** Locale files of the voice screens, which come with them: their own, and the one that the guard and failed calls speak from. */
export type VoiceTexts = { voice: typeof voice; call: typeof call; session: typeof session };
/** What the list reads of them: who looks at it alone does without the room's. */
export type RoomListTexts = Pick<VoiceTexts, "voice" | "session">;

/** `t()` of the voice screens: a key and the values of its `{{slots}}`. */
export type VoiceText = (
  key: TextKey<VoiceTexts>,
  vars?: Readonly<Record<string, string | number>>,
) => string;

const VoiceTextContext = createContext<VoiceText | null>(null);

/** Gives the voice screens their texts, in the language of the page. */
export function VoiceTextProvider({ texts, children }: { texts: RoomListTexts; children: ReactNode }) {
  const { lang } = usePage();
  const t = useMemo(() => createText<TextKey<VoiceTexts>>(lang, texts), [lang, texts]);
  return <VoiceTextContext value={t}>{children}</VoiceTextContext>;
}

export function useVoiceText(): VoiceText {
  const t = use(VoiceTextContext);
  if (!t) throw new Error("useVoiceText is called outside of VoiceTextProvider.");
  return t;
}
