import account from "#locales/tr/account.json" with { type: "json" };
import type { GuestTexts } from "./account-text.tsx";

export const texts: GuestTexts = { account };
