import * as z from "zod/mini";
import { findRegistrationFaults } from "#contract/accounts/account-rules.ts";
import { notificationPreferences, privacySettings, voicePreferences } from "#contract/accounts/accounts.ts";
import { LIMITS } from "#contract/limits.ts";
import { language } from "#contract/values.ts";
import { AppError, type FieldFault } from "#server/base/errors.ts";
import { toStorableLine } from "#server/db/sql.ts";
import { toFieldFaults } from "#server/http/zod.ts";
import { PICTURE_FIELDS, type PictureField, type ProfileForm } from "./read-form.ts";

const line = (max: number) => z.string().check(z.overwrite(toStorableLine), z.maxLength(max));

/** Columns of preferences, and what each may hold. */
export const PREFERENCES = {
  voice_preferences: voicePreferences,
  notification_preferences: notificationPreferences,
  privacy_settings: z.extend(privacySettings, {
    // A name that begins like a number could pass for that of somebody else.
    shown_name: z._default(line(LIMITS.shownNameMaxChars).check(z.regex(/^(?!#)/)), ""),
  }),
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
    return undefined; // reported as a fault of the field
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

/** Lines: forms send their ends as CR LF. */
function toLines(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/(?![\n\t])\p{Cc}/gu, "")
    .toWellFormed()
    .trim();
}

const values = z.strictObject({
  username: z.optional(z.string().check(z.overwrite(toStorableLine))),
  email: z.optional(z.string().check(z.overwrite(toStorableLine))),
  current_password: z.optional(z.string().check(z.maxLength(1024))),
  bio: z.optional(z.string().check(z.overwrite(toLines), z.maxLength(LIMITS.bioMaxChars))),
  first_name: z.optional(line(LIMITS.personNameMaxChars)),
  last_name: z.optional(line(LIMITS.personNameMaxChars)),
  admin_theme: z.optional(z.enum(["light", "dark", "auto"])),
  admin_language: z.optional(z.union([language, z.literal("")])),
});

/** Values that may be emptied; JSON says so with null, a form with an empty text. */
const CLEARABLE = ["bio", "first_name", "last_name", "admin_language", ...PICTURE_FIELDS];

/** What is to be different: only what was sent. Null removes a picture or the choice of a language. */
export interface ProfileChange extends Omit<z.infer<typeof values>, "admin_language"> {
  admin_language?: z.infer<typeof language> | null;
  preferences: Partial<Record<PreferencesField, Record<string, unknown>>>;
  pictures: Partial<Record<PictureField, Buffer | null>>;
}

function findNameFaults(sent: { username?: string | undefined; email?: string | undefined }): FieldFault[] {
  const faults = findRegistrationFaults({
    username: sent.username ?? "",
    email: sent.email ?? "",
    password: "",
    password_confirm: "",
  });
  return faults.filter(({ field }) => field in sent && field !== "password" && field !== "password_confirm");
}

/** Takes the pictures' texts out: an empty one removes the picture, and no other is one. */
function takePictures(form: ProfileForm, rest: Record<string, unknown>, faults: FieldFault[]) {
  const pictures: ProfileChange["pictures"] = { ...form.pictures };
  for (const field of PICTURE_FIELDS) {
    if (!(field in rest)) continue;
    if (rest[field] === "") pictures[field] = null;
    else faults.push({ field, code: "invalid_file" });
    delete rest[field];
  }
  return pictures;
}

function takePreferences(rest: Record<string, unknown>, faults: FieldFault[]) {
  const preferences: ProfileChange["preferences"] = {};
  for (const field of PREFERENCES_FIELDS) {
    if (!(field in rest)) continue;
    const parsed = parsePreferences(field, rest[field]);
    if ("faults" in parsed) faults.push(...parsed.faults);
    else preferences[field] = parsed.change;
    delete rest[field];
  }
  return preferences;
}

/** @throws AppError validation_failed with all faults of the form at once. */
export function parseProfileChange(form: ProfileForm): ProfileChange {
  const faults = [...form.faults];
  const rest: Record<string, unknown> = { ...form.values };
  for (const name of CLEARABLE) if (rest[name] === null) rest[name] = "";
  const pictures = takePictures(form, rest, faults);
  const preferences = takePreferences(rest, faults);
  const parsed = values.safeParse(rest);
  if (!parsed.success) faults.push(...toFieldFaults(parsed.error.issues, rest));
  // A fault in one value is no reason to say nothing of a name: names are texts here, or the schema has spoken of them.
  const toSent = (name: "username" | "email") =>
    typeof rest[name] === "string" ? { [name]: toStorableLine(rest[name]) } : {};
  faults.push(...findNameFaults({ ...toSent("username"), ...toSent("email") }));
  if (!parsed.success || faults.length > 0) throw toFormError(faults);
  const { admin_language, ...texts } = parsed.data;
  return {
    ...texts,
    ...(admin_language !== undefined && { admin_language: admin_language === "" ? null : admin_language }),
    preferences,
    pictures,
  };
}

/** A form whose only faults are the formats or sizes of files has these for its own. */
export function toFormError(faults: readonly FieldFault[]): AppError {
  for (const code of ["unsupported_file", "heic_file", "body_too_large"] as const) {
    const [first] = faults;
    if (first && faults.every((fault) => fault.code === code))
      return new AppError(code, { fields: faults, ...(first.vars && { vars: first.vars }) });
  }
  return new AppError("validation_failed", { fields: faults });
}
