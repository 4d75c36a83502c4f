import account from "#locales/en/account.json" with { type: "json" };
import session from "#locales/en/session.json" with { type: "json" };
import type { GuestTexts } from "./account-area.tsx";

export const texts: GuestTexts = { account, session };
