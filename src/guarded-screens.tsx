import type { LaterScreen as Feature } from "#contract/page.ts";
import { ProfilePage } from "./account/profile/profile-page.tsx";
import { RequireSession } from "./account/require-session.tsx";
import { LaterPage } from "./site/later/later-page.tsx";

export function GuardedProfile() {
  return <RequireSession>{(auth) => <ProfilePage auth={auth} />}</RequireSession>;
}

/** The rooms will be for signed-in people; registering and verifying are for everybody (specification A 2.1). */
export function LaterScreen({ feature }: { feature: Feature }) {
  const page = <LaterPage feature={feature} />;
  return feature === "rooms" ? <RequireSession>{() => page}</RequireSession> : page;
}
