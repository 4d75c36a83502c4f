import account from "#locales/tr/account.json" with { type: "json" };
import steps from "#locales/tr/account-steps.json" with { type: "json" };
import session from "#locales/tr/session.json" with { type: "json" };
import type { StepTexts } from "./account-area.tsx";

export const texts: StepTexts = { account: { ...account, ...steps }, session };
