import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AccountUser } from "#contract/accounts.ts";
import { toLanguage } from "#contract/languages.ts";
import { toBackEndAddress } from "#providers/back-end-address.ts";
import { UserAvatar } from "../ui/person.tsx";

/** The picture of the profile; initials where there is none, or where it can't be shown. The name stands beside it. */
export function OwnAvatar({ account }: { account: AccountUser }) {
  const { i18n } = useTranslation();
  const [isBroken, setBroken] = useState(false);
  const { id, display_name, username, profile } = account;
  if (profile.avatar && !isBroken)
    return (
      <img
        className="own-avatar"
        src={toBackEndAddress(profile.avatar)}
        alt=""
        onError={() => setBroken(true)}
      />
    );
  return <UserAvatar id={id} name={display_name || username} lang={toLanguage(i18n.language)} />;
}
