import account from "#locales/tr/account.json" with { type: "json" };
import steps from "#locales/tr/account-steps.json" with { type: "json" };
import profile from "#locales/tr/profile.json" with { type: "json" };
import session from "#locales/tr/session.json" with { type: "json" };
import type { AccountTexts } from "./account-area.tsx";

export const texts: AccountTexts = { account: { ...account, ...steps }, profile, session };
