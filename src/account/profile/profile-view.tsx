import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { OwnProfile } from "#contract/accounts/own-account.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import { SignInAgain } from "../sign-in/sign-in-again.tsx";
import { ProfileContext, type ProfileContextValue, type ProfileServices } from "./own-profile.tsx";
import { ProfileScreen } from "./profile-screen.tsx";

/** Specification A section 9. */
const SHOWN_MS = 2_500;

/** A line that comes and goes. */
function useBanner() {
  const [shown, setShown] = useState<{ text: string } | null>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return {
    text: shown?.text ?? "",
    // An object of its own each time: the same text begins anew.
    show: useCallback((text: string) => setShown(text ? { text } : null), []),
  };
}

interface Waiting {
  goOn: () => void;
  giveUp: () => void;
}

/**
 * Calls that survive the end of the session: a 401, which comes through only when the session could not be renewed, waits
 * until the person has signed in again. Who doesn't gets the failure of the call.
 */
function useSignInAgain() {
  const waiting = useRef<Waiting[]>([]);
  const [isAsking, setIsAsking] = useState(false);

  const withSession = useCallback(async <T,>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof HttpError && error.status === 401)) throw error;
      await new Promise<void>((resolve, reject) => {
        waiting.current.push({ goOn: resolve, giveUp: () => reject(error) });
        setIsAsking(true);
      });
      return call();
    }
  }, []);

  const end = (answer: keyof Waiting) => {
    setIsAsking(false);
    for (const one of waiting.current.splice(0)) one[answer]();
  };
  return { withSession, isAsking, goOn: () => end("goOn"), giveUp: () => end("giveUp") };
}

interface ProfileViewProps {
  profile: OwnProfile;
  auth: AuthState;
  services: ProfileServices;
  take: (profile: OwnProfile) => void;
}

/** Gives the screen what its parts share, and the session back when it ends in the middle of something. */
export function ProfileView({ profile, auth, services, take }: ProfileViewProps) {
  const { withSession, isAsking, goOn, giveUp } = useSignInAgain();
  const { text, show: announce } = useBanner();
  const isLeaving = useRef(false);
  const leaveTo = useCallback(
    (address: string) => {
      isLeaving.current = true;
      services.goTo(address);
    },
    [services],
  );
  const shared = useMemo<ProfileContextValue>(
    () => ({ profile, auth, services, take, withSession, announce, leaveTo, isLeaving }),
    [profile, auth, services, take, withSession, announce, leaveTo],
  );
  return (
    <ProfileContext value={shared}>
      <ProfileScreen banner={text} />
      {isAsking && (
        <SignInAgain
          username={auth.user.username}
          getSession={services.getSession}
          onSignedIn={goOn}
          onCancel={giveUp}
        />
      )}
    </ProfileContext>
  );
}
