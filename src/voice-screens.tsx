import "./voice/voice.css";
import { type ReactNode, use, useEffect, useMemo, useState } from "react";
import type { Language } from "#contract/languages.ts";
import type { DataOf } from "#contract/site/pages.ts";
import { createVoiceHttp } from "#providers/http/voice-http.ts";
import { createSocket } from "#providers/socket/socket.ts";
import { AccountArea } from "./account/account-area.tsx";
import { getAccountSession } from "./account/account-session.ts";
import { RequireSession, UnsavedInputContext } from "./account/require-session.tsx";
import { lazyPart } from "./voice/parts/lazy-part.tsx";
import {
  type RoomListTexts,
  type VoiceServices,
  VoiceServicesContext,
  VoiceTextProvider,
} from "./voice/voice-context.tsx";

const WAITING = <section className="notice-page" aria-busy="true" />;

/** Chunks of their own: who looks at the list does without the call, and who follows a link to a room without the list. */
const RoomsPage = lazyPart(async () => (await import("./voice/room-list/rooms-page.tsx")).RoomsPage, WAITING);
const RoomPage = lazyPart(async () => (await import("./voice/room/room-page.tsx")).RoomPage, WAITING);

/** Few meet it: with its texts a chunk of its own. */
const SignInAgain = lazyPart(async () => (await import("./voice-sign-in-again.tsx")).VoiceSignInAgain);

type VoiceScreenName = "rooms" | "room";

/** The list does without the texts of a call. */
const TEXTS: Record<VoiceScreenName, Record<Language, () => Promise<{ texts: RoomListTexts }>>> = {
  rooms: {
    en: () => import("./voice/voice-texts-en.ts"),
    tr: () => import("./voice/voice-texts-tr.ts"),
  },
  room: {
    en: () => import("./voice/call-texts-en.ts"),
    tr: () => import("./voice/call-texts-tr.ts"),
  },
};

let services: Omit<VoiceServices, "hold" | "signInAgain"> | undefined;

/** Made when a screen first needs them in the browser; the server draws without. */
function getVoiceServices() {
  const session = getAccountSession();
  services ??= {
    session,
    http: createVoiceHttp({ getLanguage: () => document.documentElement.lang, session }),
    socket: createSocket({ session }),
  };
  return services;
}

interface VoiceAreaProps {
  username: string;
  texts: RoomListTexts;
  children: ReactNode;
}

/** Gives the screens what they need of the browser and of the account, and the session back when it ends under a form. */
function VoiceArea({ username, texts, children }: VoiceAreaProps) {
  const hold = use(UnsavedInputContext);
  const [answer, setAnswer] = useState<(isSignedIn: boolean) => void>();
  const all = useMemo(() => {
    const signInAgain = () => new Promise<boolean>((resolve) => setAnswer(() => resolve));
    return { ...getVoiceServices(), hold, signInAgain };
  }, [hold]);
  const end = (isSignedIn: boolean) => {
    setAnswer(undefined);
    answer?.(isSignedIn);
  };
  return (
    <VoiceServicesContext value={all}>
      <VoiceTextProvider texts={texts}>
        {children}
        {answer && <SignInAgain username={username} onEnd={end} />}
      </VoiceTextProvider>
    </VoiceServicesContext>
  );
}

interface VoiceScreenProps {
  data: DataOf<VoiceScreenName>;
  /** The room's too, where it is one. */
  texts: RoomListTexts;
}

/**
 * The voice screens, for signed-in people (specification A 2.1). One component for all of them, so that a move from one to
 * the other doesn't ask again who it is.
 */
function VoiceScreen({ data, texts }: VoiceScreenProps) {
  useEffect(() => {
    // The next click leads into a room.
    if (data.screen === "rooms") RoomPage.preload();
  }, [data.screen]);
  return (
    <AccountArea texts={texts}>
      <RequireSession>
        {({ user: { username } }) => (
          <VoiceArea username={username} texts={texts}>
            {data.screen === "rooms" ? <RoomsPage /> : <RoomPage />}
          </VoiceArea>
        )}
      </RequireSession>
    </AccountArea>
  );
}

export async function loadVoiceScreen(screen: VoiceScreenName, lang: Language) {
  const { texts } = await TEXTS[screen][lang]();
  return (data: DataOf<VoiceScreenName>) => <VoiceScreen data={data} texts={texts} />;
}
