import { type FormEvent, useRef, useState } from "react";
import { HttpError } from "#providers/http/http.ts";
import { toReason } from "../../../ui/failure-text.ts";
import { useAccountText } from "../../account-area.tsx";
import { sendProfile, toForm, useProfile } from "../own-profile.tsx";
import { PICTURES, toPictureValues, usePictures } from "./pictures.tsx";
import {
  checkValues,
  type FormErrors,
  type FormField,
  findChanges,
  forgetEdits,
  isNewEmail,
  readStoredEdits,
  storeEdits,
  TEXT_FIELDS,
  toValues,
} from "./profile-values.ts";

/** The server's texts of these fields; the first one of each. */
function toFieldErrors<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): Partial<Record<Field, string>> {
  const found: Partial<Record<Field, string>> = {};
  if (!(error instanceof HttpError)) return found;
  for (const { field, message } of error.errors) {
    const known = fields.find((name) => name === field);
    if (known) found[known] ??= message;
  }
  return found;
}

type Phase = "view" | "edit" | "saving";

/** Why nothing was saved: what the form itself found, or the failure of a call with its reason where one is known. */
export interface SaveFailure {
  isSent: boolean;
  reason: string;
}

/** The profile's life (specification A section 4): view, edit, saving, and back with a banner or with what is wrong. */
export function useProfileEditor() {
  const t = useAccountText();
  const { profile, auth, services, take, withSession, announce } = useProfile();
  const { tabStorage } = services;
  const [stored] = useState(() => {
    const values = readStoredEdits(tabStorage, auth.user.id);
    return values && Object.keys(findChanges(values, profile)).length > 0 ? values : undefined;
  });
  const [phase, setPhase] = useState<Phase>(stored ? "edit" : "view");
  const [isRestored, setIsRestored] = useState(stored !== undefined);
  const [typed, setTyped] = useState(() => stored ?? toValues(profile));
  const [password, setPassword] = useState("");
  const [errors, setErrors] = useState<FormErrors>({});
  const [failure, setFailure] = useState<SaveFailure | null>(null);
  const [percent, setPercent] = useState<number | null>(null);
  const [refusals, setRefusals] = useState(0);
  const pictures = usePictures(t);
  const formRef = useRef<HTMLFormElement>(null);

  // Outside of edit mode the fields follow the profile, which another tab may have changed.
  const values = phase === "view" ? toValues(profile) : typed;
  const changes = findChanges(values, profile);
  const isDirty = phase !== "view" && (pictures.isChanged || Object.keys(changes).length > 0);

  function refuse(found: FormErrors, failed: SaveFailure) {
    setErrors(found);
    setFailure(failed);
    setRefusals((count) => count + 1);
  }

  function leaveEditMode() {
    forgetEdits(tabStorage);
    setPhase("view");
    setIsRestored(false);
    setPassword("");
    setErrors({});
    setFailure(null);
    pictures.reset();
  }

  function start() {
    setTyped(toValues(profile));
    announce("");
    setPhase("edit");
  }

  function type(field: FormField, text: string) {
    setErrors((others) => ({ ...others, [field]: undefined }));
    if (field === "current_password") return setPassword(text);
    const next = { ...typed, [field]: text };
    setTyped(next);
    storeEdits(tabStorage, auth.user.id, next);
  }

  async function send() {
    setPhase("saving");
    setFailure(null);
    const sent = {
      ...changes,
      ...(isNewEmail(values, profile) && { current_password: password }),
      ...toPictureValues(pictures.changes),
    };
    try {
      const saved = await withSession(() =>
        sendProfile(services.getHttp(), toForm(sent), ({ sentBytes, totalBytes }) =>
          setPercent(totalBytes > 0 ? Math.round((100 * sentBytes) / totalBytes) : null),
        ),
      );
      leaveEditMode();
      take(saved);
      announce(t("profile:edit.saved"));
    } catch (error) {
      pictures.setErrors(toFieldErrors(error, PICTURES));
      const found = toFieldErrors(error, [...TEXT_FIELDS, "current_password"]);
      const reason = Object.keys(found).length > 0 ? t("profile:edit.checkFields") : toReason(error, t);
      refuse(found, { isSent: true, reason });
      setPhase("edit");
    } finally {
      setPercent(null);
    }
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (phase !== "edit") return;
    const found = checkValues({ ...values, current_password: password }, profile, t);
    if (Object.values(found).some(Boolean))
      return refuse(found, { isSent: false, reason: t("profile:edit.checkFields") });
    if (isDirty) return send();
    leaveEditMode();
    announce(t("profile:edit.unchanged"));
  }

  return {
    phase,
    values,
    password,
    needsPassword: phase !== "view" && isNewEmail(values, profile),
    errors,
    failure,
    percent,
    /** Counts how often saving was refused. */
    refusals,
    isDirty,
    isRestored,
    pictures,
    formRef,
    start,
    type,
    save,
    discard: leaveEditMode,
    checkField(field: FormField) {
      const { [field]: error } = checkValues({ ...values, current_password: password }, profile, t);
      if (phase === "edit") setErrors((others) => ({ ...others, [field]: error }));
    },
  };
}

export type ProfileEditor = ReturnType<typeof useProfileEditor>;
