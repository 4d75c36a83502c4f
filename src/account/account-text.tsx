import { createContext, use } from "react";
import type account from "#locales/en/account.json";
import type profile from "#locales/en/profile.json";
import type session from "#locales/en/session.json";
import type { TextKey } from "../ui/public-text.ts";

/** Locale files of the account's screens. They come with those screens, so that readers of a CV don't pay for them. */
export type AccountTexts = {
  account: typeof account;
  profile: typeof profile;
  session: typeof session;
};
/** What the screens for everybody read of them: who logs in doesn't load the profile's. */
export type GuestTexts = Pick<AccountTexts, "account" | "session">;

/** `t()` of the account's screens: a key and the values of its `{{slots}}`. */
export type AccountText = (
  key: TextKey<AccountTexts>,
  vars?: Readonly<Record<string, string | number>>,
) => string;

export const AccountTextContext = createContext<AccountText | null>(null);

export function useAccountText(): AccountText {
  const t = use(AccountTextContext);
  if (!t) throw new Error("useAccountText is called outside of AccountArea.");
  return t;
}
