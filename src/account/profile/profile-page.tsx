import type { AuthState } from "#providers/http/auth-state.ts";
import "./profile.css";
import { BROWSER_SERVICES, type ProfileServices } from "./own-profile.tsx";
import { ProfileFailed } from "./profile-failed.tsx";
import { ProfileSkeleton } from "./profile-skeleton.tsx";
import { ProfileView } from "./profile-view.tsx";
import { useLiveAuth } from "./use-live-auth.ts";
import { useOwnProfile } from "./use-own-profile.ts";

interface ProfileProps {
  auth: AuthState;
  services: ProfileServices;
}

function LoadedProfile({ auth, services }: ProfileProps) {
  const { loading, take, retry } = useOwnProfile(services, auth);
  switch (loading.state) {
    case "loading":
      return <ProfileSkeleton auth={auth} />;
    case "failed":
      return <ProfileFailed error={loading.error} onRetry={retry} />;
    case "ready":
      return <ProfileView profile={loading.profile} auth={auth} services={services} take={take} />;
  }
}

/** The own profile of who is signed in (specification A 2.10). Another person's sign-in begins it anew. */
export function ProfilePage({
  auth,
  services = BROWSER_SERVICES,
}: {
  auth: AuthState;
  services?: ProfileServices;
}) {
  const live = useLiveAuth(services.getSession(), auth);
  return <LoadedProfile key={live.user.id} auth={live} services={services} />;
}
