import account from "#locales/tr/account.json" with { type: "json" };
import session from "#locales/tr/session.json" with { type: "json" };
import type { GuestTexts } from "./account-area.tsx";

export const texts: GuestTexts = { account, session };
