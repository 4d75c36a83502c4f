import * as z from "zod/mini";
import { notificationPreferences, privacySettings, voicePreferences } from "#contract/preferences.ts";
import type { FieldFault } from "#server/base/errors.ts";
import { toFieldFaults } from "#server/http/zod.ts";

/** Columns of preferences, and what each may hold. */
export const PREFERENCES = {
  voice_preferences: voicePreferences,
  notification_preferences: notificationPreferences,
  privacy_settings: privacySettings,
} as const;
export type PreferencesField = keyof typeof PREFERENCES;
export const PREFERENCES_FIELDS = Object.keys(PREFERENCES) as PreferencesField[]; // keys of the constant above

export type ParsedPreferences = { change: Record<string, unknown> } | { faults: FieldFault[] };

/** A form has no objects: there, preferences are JSON. Undefined when the text is none. */
function readJson(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    return JSON.parse(given);
  } catch {
    return undefined; // told as a fault of the field
  }
}

/** The keys that were sent, checked; those that weren't stay as they are. */
export function parsePreferences(field: PreferencesField, given: unknown): ParsedPreferences {
  const read = readJson(given);
  if (read === undefined) return { faults: [{ field, code: "invalid_format" }] };
  if (typeof read !== "object" || read === null || Array.isArray(read))
    return { faults: [{ field, code: "invalid_type" }] };
  const schema: z.ZodMiniObject = z.strictObject(PREFERENCES[field].shape);
  const parsed = schema.safeParse(read);
  if (!parsed.success) return { faults: toFieldFaults(parsed.error.issues, read, [field]) };
  const sent = new Set(Object.keys(read));
  return { change: Object.fromEntries(Object.entries(parsed.data).filter(([key]) => sent.has(key))) };
}
