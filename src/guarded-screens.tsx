import { AccountArea } from "./account/account-area.tsx";
import type { AccountTexts } from "./account/account-text.tsx";
import { ProfilePage } from "./account/profile/profile-page.tsx";
import { WaitingProfile } from "./account/profile/profile-skeleton.tsx";
import { RequireSession } from "./account/require-session.tsx";
import { LaterPage } from "./site/later/later-page.tsx";

/** Screens for signed-in people, with the texts of the account's area (specification A 2.1). */
export function GuardedScreen({ screen, texts }: { screen: "profile" | "later"; texts: AccountTexts }) {
  return (
    <AccountArea texts={texts}>
      <RequireSession waiting={screen === "profile" && <WaitingProfile />}>
        {(auth) => (screen === "profile" ? <ProfilePage auth={auth} /> : <LaterPage />)}
      </RequireSession>
    </AccountArea>
  );
}
