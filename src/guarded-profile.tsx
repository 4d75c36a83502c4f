import { AccountArea } from "./account/account-area.tsx";
import type { AccountTexts } from "./account/account-text.tsx";
import { ProfilePage } from "./account/profile/profile-page.tsx";
import { WaitingProfile } from "./account/profile/profile-skeleton.tsx";
import { RequireSession } from "./account/require-session.tsx";

/** The profile, for signed-in people, with the texts of the account's area (specification A 2.1). */
export function GuardedProfile({ texts }: { texts: AccountTexts }) {
  return (
    <AccountArea texts={texts}>
      <RequireSession waiting={<WaitingProfile />}>{(auth) => <ProfilePage auth={auth} />}</RequireSession>
    </AccountArea>
  );
}
