import * as z from "zod/mini";
import { findRegistrationFaults } from "#contract/accounts/account-rules.ts";
import type { OwnProfile } from "#contract/accounts/own-account.ts";
import { LIMITS } from "#contract/limits.ts";
import type { KeyStorage } from "#providers/browser-storage.ts";
import type { AccountText } from "../../account-area.tsx";
import { toFaultTexts } from "../../forms/fault-text.ts";

export const TEXT_FIELDS = ["username", "email", "first_name", "last_name", "bio"] as const;
export type TextField = (typeof TEXT_FIELDS)[number];
type ProfileValues = Record<TextField, string>;

/** A form sends line ends as CR LF; a text area knows LF alone. */
function toFieldText(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

export function toValues(profile: OwnProfile): ProfileValues {
  const { username, email, first_name, last_name, bio } = profile;
  return { username, email, first_name, last_name, bio: toFieldText(bio) };
}

/** What differs from the saved profile, as it is sent. */
export function findChanges(values: ProfileValues, profile: OwnProfile): Partial<ProfileValues> {
  const before = toValues(profile);
  const changed = TEXT_FIELDS.filter((field) => values[field].trim() !== before[field].trim());
  return Object.fromEntries(changed.map((field) => [field, values[field].trim()]));
}

/** Whether the form asks for the current password: who sits at an open screen must not take the account over. */
export function isNewEmail(values: ProfileValues, profile: OwnProfile): boolean {
  return values.email.trim() !== profile.email;
}

export type FormField = TextField | "current_password";
export type FormErrors = Partial<Record<FormField, string | undefined>>;

/** Faults that need no server (specification A section 5). Only what was changed is checked: older accounts may break a rule. */
export function checkValues(
  values: ProfileValues & { current_password: string },
  profile: OwnProfile,
  t: AccountText,
): FormErrors {
  const changes = findChanges(values, profile);
  const checkLength = (text: string | undefined, max: number) =>
    text !== undefined && text.length > max ? t("profile:form.tooLong", { max }) : undefined;
  const faults = findRegistrationFaults({ ...values, ...changes, password: "", password_confirm: "" });
  return {
    ...toFaultTexts(
      faults.filter(({ field }) => changes[field as TextField] !== undefined), // a password is no text field, and has no change
      t,
    ),
    first_name: checkLength(changes.first_name, LIMITS.personNameMaxChars),
    last_name: checkLength(changes.last_name, LIMITS.personNameMaxChars),
    bio: checkLength(changes.bio, LIMITS.bioMaxChars),
    current_password:
      isNewEmail(values, profile) && values.current_password === ""
        ? t("profile:form.passwordRequired")
        : undefined,
  };
}

const EDITS_KEY = "profile-edits";

const storedEdits = z.object({
  user_id: z.number(),
  values: z.record(z.enum(TEXT_FIELDS), z.string()),
});

/** Keeps what a person typed, for this tab; a password never. */
export function storeEdits(storage: KeyStorage, userId: number, values: ProfileValues): void {
  storage.setItem(EDITS_KEY, JSON.stringify({ user_id: userId, values }));
}

export function forgetEdits(storage: KeyStorage): void {
  storage.removeItem(EDITS_KEY);
}

/** What the same person typed before a reload or the end of the session; undefined where nothing was kept. */
export function readStoredEdits(storage: KeyStorage, userId: number): ProfileValues | undefined {
  try {
    const stored = storedEdits.parse(JSON.parse(storage.getItem(EDITS_KEY) ?? "null"));
    return stored.user_id === userId ? stored.values : undefined;
  } catch {
    // Nothing, or something else, stands under this key.
    return undefined;
  }
}
