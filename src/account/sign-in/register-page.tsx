import { findRegistrationFaults, trimRegistration } from "#contract/accounts/account-rules.ts";
import type { AccountText } from "../account-text.tsx";
import { toFaultTexts } from "../forms/fault-text.ts";

export const REGISTER_FIELDS = ["username", "email", "password", "password_confirm", "terms"] as const;
export type RegisterValues = Record<(typeof REGISTER_FIELDS)[number], string>;

/** What is wrong with a registration, in words, by the rules that page and server share; the ticked box is the page's own. */
export function findRegisterErrors(values: RegisterValues, t: AccountText): Partial<RegisterValues> {
  return {
    ...toFaultTexts(findRegistrationFaults(trimRegistration(values)), t),
    ...(!values.terms && { terms: t("account:faults.terms_required") }),
  };
}
