import { findRegistrationFaults } from "#contract/account-rules.ts";
import { AppError, type FieldFault } from "#server/base/errors.ts";
import { toStorableLine } from "../storable-text.ts";
import type { ManagedValues } from "./store.ts";

/** Values of a write by the names of the model's fields, as the kinds have checked them; null empties. */
export type GivenValues = ReadonlyMap<string, unknown>;

const TEXTS = ["username", "email", "first_name", "last_name"] as const;

/** What a write says of an account. Emptied names are empty texts; an emptied switch is off, or, of `is_active`, on. */
export function toManagedChange(given: GivenValues): Partial<ManagedValues> {
  const change: Partial<ManagedValues> = {};
  for (const name of TEXTS) if (given.has(name)) change[name] = toStorableLine(String(given.get(name) ?? ""));
  const level = given.get("access_level_id");
  if (typeof level === "number") change.access_level_id = level;
  if (given.has("is_active")) change.is_active = given.get("is_active") !== false;
  if (given.has("is_email_verified")) change.is_email_verified = given.get("is_email_verified") === true;
  return change;
}

/** Faults of those names that a body holds, by the rules of registration. */
export function findNameFaults(given: Readonly<Record<string, unknown>>): FieldFault[] {
  const toText = (value: unknown) => toStorableLine(typeof value === "string" ? value : "");
  const names = { username: toText(given.username), email: toText(given.email) };
  return findRegistrationFaults({ ...names, password: "", password_confirm: "" }).filter(
    ({ field }) => (field === "username" || field === "email") && typeof given[field] === "string",
  );
}

/** Names by the rules of registration. What stays as it was is not judged. @throws AppError validation_failed. */
export function requireGoodNames(
  next: Pick<ManagedValues, "username" | "email">,
  before?: Pick<ManagedValues, "username" | "email">,
): void {
  const faults = findRegistrationFaults({ ...next, password: "", password_confirm: "" });
  const fields = faults.filter(
    ({ field }) => (field === "username" || field === "email") && next[field] !== before?.[field],
  );
  if (fields.length > 0) throw new AppError("validation_failed", { fields });
}
