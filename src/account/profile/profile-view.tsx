import { useCallback, useMemo, useRef } from "react";
import type { OwnProfile } from "#contract/accounts/own-account.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { SignInAgain } from "../sign-in/sign-in-again.tsx";
import type { ProfileServices } from "./own-profile.tsx";
import { ProfileContext, type ProfileContextValue } from "./profile-context.tsx";
import { ProfileScreen } from "./profile-screen.tsx";
import { useBanner } from "./use-banner.ts";
import { useSignInAgain } from "./use-sign-in-again.ts";

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
