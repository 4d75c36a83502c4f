import { type Dispatch, type FormEvent, useEffect, useRef } from "react";
import * as z from "zod/mini";
import type { KeyStorage } from "#providers/browser-storage.ts";
import { HttpError } from "#providers/http/http.ts";
import type { UploadProgress } from "#providers/http/upload.ts";
import { toReason } from "../../../ui/failure-text.ts";
import { useMachine } from "../../../ui/use-machine.ts";
import { useAccountText } from "../../account-area.tsx";
import { sendProfile, toForm, useProfile } from "../own-profile.tsx";
import { choosePicture, PICTURES, type PictureName, toPictureValues, UNCHANGED } from "./pictures.tsx";
import {
  checkValues,
  type EditorEvent,
  type EditorState,
  type FormField,
  type FormValues,
  findChanges,
  isNewEmail,
  reduceEditor,
  type Sent,
  TEXT_FIELDS,
  toEditorState,
  toValues,
} from "./profile-editor-machine.ts";

const EDITS_KEY = "profile-edits";

const storedEdits = z.object({
  user_id: z.number(),
  values: z.object({
    username: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    bio: z.string(),
  }),
});

/** Keeps what a person typed, for this tab; a password never. */
function storeEdits(
  storage: KeyStorage,
  userId: number,
  { current_password: _secret, ...values }: FormValues,
): void {
  storage.setItem(EDITS_KEY, JSON.stringify({ user_id: userId, values }));
}

export function forgetEdits(storage: KeyStorage): void {
  storage.removeItem(EDITS_KEY);
}

/** What the same person typed before a reload or the end of the session; undefined where nothing was kept. */
function readStoredEdits(storage: KeyStorage, userId: number): FormValues | undefined {
  try {
    const stored = storedEdits.parse(JSON.parse(storage.getItem(EDITS_KEY) ?? "null"));
    return stored.user_id === userId ? { ...stored.values, current_password: "" } : undefined;
  } catch {
    // Nothing, or something else, stands under this key.
    return undefined;
  }
}

/** The server's texts of these fields; the first one of each. */
function toFieldErrors(error: unknown, fields: readonly string[]): Record<string, string> {
  const faults = error instanceof HttpError ? error.errors : [];
  const known = faults.filter(({ field }) => fields.includes(field)).reverse();
  return Object.fromEntries(known.map(({ field, message }) => [field, message]));
}

/** Does what the phases of the profile's machine ask for. */
export function useProfileEditor() {
  const t = useAccountText();
  const { profile, auth, services, take, withSession, announce } = useProfile();
  const { tabStorage } = services;
  const userId = auth.user.id;
  const formRef = useRef<HTMLFormElement>(null);

  function begin(): EditorState {
    const stored = readStoredEdits(tabStorage, userId);
    return toEditorState(stored && Object.keys(findChanges(stored, profile)).length > 0 ? stored : undefined);
  }

  async function save(sent: Sent, report: Dispatch<EditorEvent>): Promise<EditorEvent> {
    const onProgress = ({ sentBytes, totalBytes }: UploadProgress) => {
      const percent = totalBytes > 0 ? Math.round((100 * sentBytes) / totalBytes) : null;
      report({ type: "progressed", percent });
    };
    try {
      take(await withSession(() => sendProfile(services.getHttp(), toForm(sent), onProgress)));
      // Also when the person has left the page meanwhile.
      forgetEdits(tabStorage);
      return { type: "saved" };
    } catch (error) {
      const errors = toFieldErrors(error, [...TEXT_FIELDS, "current_password"]);
      const reason = Object.keys(errors).length > 0 ? t("profile:edit.checkFields") : toReason(error, t);
      return { type: "refused", errors, pictureErrors: toFieldErrors(error, PICTURES), reason };
    }
  }

  function enter(entered: EditorState, report: Dispatch<EditorEvent>) {
    switch (entered.phase) {
      case "view":
        if (!entered.ending) return;
        forgetEdits(tabStorage);
        if (entered.ending !== "discarded") announce(t(`profile:edit.${entered.ending}`));
        return;
      case "editing":
        announce("");
        return;
      case "saving":
        void save(entered.sent, report).then(report);
        return;
      case "refused":
        return;
    }
  }
  const [state, dispatch] = useMachine(reduceEditor, begin, enter);

  const edits = state.phase === "view" ? undefined : state.edits;
  // Outside of edit mode the fields follow the profile, which another tab may have changed.
  const values = edits?.values ?? toValues(profile);
  const pictures = edits?.pictures ?? UNCHANGED;
  const changes = findChanges(values, profile);
  const needsPassword = isNewEmail(values, profile);
  const hasNewPicture = PICTURES.some((name) => pictures[name].kind !== "kept");
  const hasTyped = Object.keys(changes).length > 0;

  /** The fields can't be changed. */
  const isLocked = state.phase === "view" || state.phase === "saving";

  const typed = edits?.values;
  useEffect(() => {
    if (!typed) return;
    if (hasTyped) storeEdits(tabStorage, userId, typed);
    else forgetEdits(tabStorage);
  }, [typed, hasTyped, tabStorage, userId]);

  return {
    state,
    isEditing: edits !== undefined,
    isLocked,
    values,
    errors: edits?.errors ?? {},
    failure: state.phase === "refused" ? state.failure : null,
    percent: state.phase === "saving" ? state.percent : null,
    needsPassword: edits !== undefined && needsPassword,
    isDirty: edits !== undefined && (hasNewPicture || hasTyped),
    isRestored: edits?.isRestored === true,
    pictures,
    pictureErrors: edits?.pictureErrors ?? {},
    hasNewPicture,
    formRef,
    start: () => dispatch({ type: "started", values: toValues(profile) }),
    type: (field: FormField, text: string) => dispatch({ type: "typed", field, text }),
    checkField(field: FormField) {
      if (!isLocked) dispatch({ type: "checked", field, error: checkValues(values, profile, t)[field] });
    },
    choosePicture: async (name: PictureName, file: File) =>
      dispatch({ type: "picture_changed", name, ...(await choosePicture(file, t)) }),
    removePicture: (name: PictureName) =>
      dispatch({ type: "picture_changed", name, change: { kind: "removed" } }),
    /** The browser could not draw what was chosen. */
    refusePicture: (name: PictureName) =>
      dispatch({
        type: "picture_changed",
        name,
        change: { kind: "kept" },
        error: t("profile:picture.unreadable"),
      }),
    save(event: FormEvent) {
      event.preventDefault();
      const { current_password } = values;
      const sent = { ...changes, ...(needsPassword && { current_password }), ...toPictureValues(pictures) };
      const errors = checkValues(values, profile, t);
      dispatch({ type: "submitted", sent, errors, reason: t("profile:edit.checkFields") });
    },
    discard() {
      // Also while it is being saved, where who discards leaves: nothing comes back at the next visit.
      forgetEdits(tabStorage);
      dispatch({ type: "discarded" });
    },
  };
}

export type ProfileEditor = ReturnType<typeof useProfileEditor>;
