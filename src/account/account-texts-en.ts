import account from "#locales/en/account.json" with { type: "json" };
import steps from "#locales/en/account-steps.json" with { type: "json" };
import profile from "#locales/en/profile.json" with { type: "json" };
import session from "#locales/en/session.json" with { type: "json" };
import type { AccountTexts } from "./account-area.tsx";

export const texts: AccountTexts = { account: { ...account, ...steps }, profile, session };
