import { findRegistrationFaults } from "#contract/accounts/account-rules.ts";
import type { OwnProfile } from "#contract/accounts/own-account.ts";
import { LIMITS } from "#contract/limits.ts";
import type { AccountText } from "../../account-area.tsx";
import { toFaultTexts } from "../../forms/fault-text.ts";
import { type PictureChange, type PictureChanges, type PictureErrors, UNCHANGED } from "./pictures.tsx";

export const TEXT_FIELDS = ["username", "email", "first_name", "last_name", "bio"] as const;
export type TextField = (typeof TEXT_FIELDS)[number];
export type ProfileValues = Record<TextField, string>;
export type FormField = TextField | "current_password";
export type FormValues = Record<FormField, string>;
export type FormErrors = Partial<Record<FormField, string | undefined>>;

/** A form sends line ends as CR LF; a text area knows LF alone. */
function toFieldText(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

export function toValues(profile: OwnProfile): FormValues {
  const { username, email, first_name, last_name, bio } = profile;
  return { username, email, first_name, last_name, bio: toFieldText(bio), current_password: "" };
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

/** Faults that need no server (specification A section 5). Only what was changed is checked: older accounts may break a rule. */
export function checkValues(values: FormValues, profile: OwnProfile, t: AccountText): FormErrors {
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

/** What a person has done to their profile and not saved. */
export interface Edits {
  values: FormValues;
  errors: FormErrors;
  pictures: PictureChanges;
  pictureErrors: PictureErrors;
  /** It comes from before a reload. */
  isRestored: boolean;
}

/** What goes to the server: only what was changed. */
export type Sent = Readonly<Record<string, string | File>>;

/** Why nothing was saved: what the form itself found, or the failure of a call with its reason where one is known. */
export interface SaveFailure {
  isSent: boolean;
  reason: string;
}

/** The profile's life (specification A section 4): seen, edited, saved, and back with a banner or with what is wrong. */
export type EditorState =
  /** `ending` is how the edits ended that stood here before. */
  | { phase: "view"; ending?: "saved" | "unchanged" | "discarded" }
  | { phase: "editing"; edits: Edits }
  | { phase: "saving"; edits: Edits; sent: Sent; percent: number | null }
  /** Editing goes on. Each refusal is a failure of its own. */
  | { phase: "refused"; edits: Edits; failure: SaveFailure };

/** What can happen to it. Texts come in the reader's language. */
export type EditorEvent =
  | { type: "started"; values: FormValues }
  | { type: "typed"; field: FormField; text: string }
  | { type: "checked"; field: FormField; error: string | undefined }
  /** Without `change` a picture stays what it was. It may come while another one is being saved: reading a file takes time. */
  | { type: "picture_changed"; name: keyof PictureChanges; change?: PictureChange; error?: string }
  /** `errors` and `reason` are what is wrong by the browser's own rules. */
  | { type: "submitted"; sent: Sent; errors: FormErrors; reason: string }
  | { type: "progressed"; percent: number | null }
  | { type: "saved" }
  | { type: "refused"; errors: FormErrors; pictureErrors: PictureErrors; reason: string }
  | { type: "discarded" };

function toEdits(values: FormValues, isRestored: boolean): Edits {
  return { values, errors: {}, pictures: UNCHANGED, pictureErrors: {}, isRestored };
}

export function toEditorState(restored: FormValues | undefined): EditorState {
  return restored ? { phase: "editing", edits: toEdits(restored, true) } : { phase: "view" };
}

function changePicture(
  edits: Edits,
  { name, change, error }: Extract<EditorEvent, { type: "picture_changed" }>,
): Edits {
  const pictures = change ? { ...edits.pictures, [name]: change } : edits.pictures;
  return { ...edits, pictures, pictureErrors: { ...edits.pictureErrors, [name]: error } };
}

function submit(
  edits: Edits,
  { sent, errors, reason }: Extract<EditorEvent, { type: "submitted" }>,
): EditorState {
  if (Object.values(errors).some(Boolean))
    return { phase: "refused", edits: { ...edits, errors }, failure: { isSent: false, reason } };
  if (Object.keys(sent).length === 0) return { phase: "view", ending: "unchanged" };
  return { phase: "saving", edits, sent, percent: null };
}

/** The next state of the profile. What makes no sense in the state that it finds changes nothing. */
export function reduceEditor(state: EditorState, event: EditorEvent): EditorState {
  const { phase } = state;
  if (phase === "view")
    return event.type === "started" ? { phase: "editing", edits: toEdits(event.values, false) } : state;
  const { edits } = state;
  switch (event.type) {
    case "started":
      return state;
    case "typed": {
      if (phase === "saving") return state;
      const values = { ...edits.values, [event.field]: event.text };
      return { ...state, edits: { ...edits, values, errors: { ...edits.errors, [event.field]: undefined } } };
    }
    case "checked":
      if (phase === "saving") return state;
      return { ...state, edits: { ...edits, errors: { ...edits.errors, [event.field]: event.error } } };
    case "picture_changed":
      return { ...state, edits: changePicture(edits, event) };
    case "submitted":
      return phase === "saving" ? state : submit(edits, event);
    case "progressed":
      return phase === "saving" ? { ...state, percent: event.percent } : state;
    case "saved":
      return phase === "saving" ? { phase: "view", ending: "saved" } : state;
    case "refused": {
      if (phase !== "saving") return state;
      const { errors, pictureErrors, reason } = event;
      const failure = { isSent: true, reason };
      return { phase: "refused", edits: { ...edits, errors, pictureErrors }, failure };
    }
    case "discarded":
      return phase === "saving" ? state : { phase: "view", ending: "discarded" };
  }
}
