import type { AccountFault } from "#contract/accounts/account-rules.ts";
import type { AccountText } from "../account-text.tsx";

/** The texts of faults by their fields. Two faults of one field: the first stands. */
export function toFaultTexts<Field extends string>(
  faults: readonly AccountFault<Field>[],
  t: AccountText,
): Partial<Record<Field, string>> {
  const texts: Partial<Record<Field, string>> = {};
  for (const { field, code, vars } of faults) texts[field] ??= t(`account:faults.${code}`, { ...vars });
  return texts;
}
