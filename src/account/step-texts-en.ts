import account from "#locales/en/account.json" with { type: "json" };
import steps from "#locales/en/account-steps.json" with { type: "json" };
import session from "#locales/en/session.json" with { type: "json" };
import type { StepTexts } from "./account-area.tsx";

export const texts: StepTexts = { account: { ...account, ...steps }, session };
