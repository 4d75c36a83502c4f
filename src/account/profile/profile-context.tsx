import { createContext, type RefObject, use } from "react";
import type { OwnProfile } from "#contract/accounts/own-account.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import type { ProfileServices } from "./own-profile.tsx";

/** What every part of the profile shares. */
export interface ProfileContextValue {
  profile: OwnProfile;
  auth: AuthState;
  services: ProfileServices;
  /** Shows what the server answered, and lets this tab's and other tabs' `auth_state` follow. */
  take: (profile: OwnProfile) => void;
  /** Makes a call; when the session has ended, the person signs in again in place and the call is made once more. */
  withSession: <T>(call: () => Promise<T>) => Promise<T>;
  /** Shows a line of success for a moment; an empty one takes it away. */
  announce: (text: string) => void;
  /** Loads another document on purpose: nothing asks about unsaved edits, which stay kept for this tab. */
  leaveTo: (address: string) => void;
  /** Whether that has begun. */
  isLeaving: RefObject<boolean>;
}

export const ProfileContext = createContext<ProfileContextValue | null>(null);

export function useProfile(): ProfileContextValue {
  const value = use(ProfileContext);
  if (!value) throw new Error("useProfile is called outside of ProfileContext.");
  return value;
}
