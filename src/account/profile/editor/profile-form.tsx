import type { ComponentProps, RefObject } from "react";
import { LIMITS } from "#contract/limits.ts";
import { FormAlert } from "../../../ui/form-messages.tsx";
import { TextArea } from "../../../ui/text-area.tsx";
import { TextField as Field } from "../../../ui/text-field.tsx";
import { useAccountText } from "../../account-area.tsx";
import { PasswordField } from "../../forms/password-fields.tsx";
import type { TextField } from "./profile-editor-machine.ts";
import type { ProfileEditor } from "./use-profile-editor.ts";

/** The id of the form, which the button outside of it sends. */
const FORM_ID = "profile-form";

/** The way into edit mode, beside the name. */
export function EditButton({
  buttonRef,
  onEdit,
}: {
  buttonRef: RefObject<HTMLButtonElement | null>;
  onEdit: () => void;
}) {
  const t = useAccountText();
  return (
    <div className="profile-buttons">
      <button ref={buttonRef} type="button" className="button" onClick={onEdit}>
        {t("profile:edit.edit")}
      </button>
    </div>
  );
}

/**
 * The way out of edit mode: Save and Cancel, or Saving alone. A line of its own that stays in view over the form, and never
 * stands where Edit stood.
 */
export function SaveBar({ state, onCancel }: { state: ProfileEditor["state"]; onCancel: () => void }) {
  const t = useAccountText();
  if (state.phase === "view") return null;
  const isSaving = state.phase === "saving";
  return (
    <div className="profile-save">
      <button type="submit" form={FORM_ID} className="button" disabled={isSaving}>
        {t(isSaving ? "profile:edit.saving" : "profile:edit.save")}
      </button>
      {!isSaving && (
        <button type="button" className="button-quiet" onClick={onCancel}>
          {t("profile:edit.cancel")}
        </button>
      )}
    </div>
  );
}

interface BioFieldProps {
  value: string;
  error: string | undefined;
  isEditable: boolean;
  onType: (text: string) => void;
  onBlur: () => void;
}

/** A few words about the person: four rows, a hint, and how many characters there are. */
function BioField({ value, error, isEditable, onType, onBlur }: BioFieldProps) {
  const t = useAccountText();
  const isOver = value.trim().length > LIMITS.bioMaxChars;
  return (
    <TextArea
      label={t("profile:form.bio")}
      name="bio"
      rows={4}
      value={value}
      readOnly={!isEditable}
      placeholder={isEditable ? undefined : t("profile:card.noBio")}
      error={error}
      note={
        isEditable && (
          <span className="bio-note">
            <span>{t("profile:form.bioHint")}</span>
            <span className="bio-count" data-over={isOver || undefined}>
              {`${value.trim().length}/${LIMITS.bioMaxChars}`}
            </span>
          </span>
        )
      }
      onChange={(event) => onType(event.currentTarget.value)}
      onBlur={onBlur}
    />
  );
}

const LABELS = {
  username: "profile:form.username",
  email: "profile:form.email",
  first_name: "profile:form.firstName",
  last_name: "profile:form.lastName",
} as const;

function SaveFailureText({ failure }: { failure: ProfileEditor["failure"] }) {
  const t = useAccountText();
  return (
    <FormAlert>
      {failure?.isSent === false && failure.reason}
      {failure?.isSent && (
        <>
          <p>
            <strong>{t("profile:edit.failed")}</strong>
          </p>
          <p>{[failure.reason, t("profile:edit.kept")].filter(Boolean).join(" ")}</p>
        </>
      )}
    </FormAlert>
  );
}

/** The About tab: the person's own data, locked until Edit (specification A 2.10). */
export function ProfileForm({ editor, onSubmit }: { editor: ProfileEditor; onSubmit: () => void }) {
  const t = useAccountText();
  const { isEditing, isLocked, values, errors, needsPassword, percent } = editor;
  const toField = (name: Exclude<TextField, "bio">, input: ComponentProps<"input"> = {}) => (
    <Field
      label={t(LABELS[name])}
      name={name}
      value={values[name]}
      error={errors[name]}
      readOnly={isLocked}
      placeholder={isEditing ? undefined : t("profile:card.none")}
      onChange={(event) => editor.type(name, event.currentTarget.value)}
      onBlur={() => editor.checkField(name)}
      {...input}
    />
  );
  return (
    <form
      ref={editor.formRef}
      id={FORM_ID}
      className="profile-form"
      data-locked={!isEditing || undefined}
      noValidate
      onSubmit={(event) => {
        // The button in the head sends it from any tab; what is wrong is shown here.
        onSubmit();
        editor.save(event);
      }}
    >
      {editor.isRestored && (
        <div className="profile-note">
          <p role="status">{t("profile:edit.restored")}</p>
          <button type="button" className="button-quiet" disabled={isLocked} onClick={editor.discard}>
            {t("profile:edit.discardRestored")}
          </button>
        </div>
      )}
      <SaveFailureText failure={editor.failure} />
      {toField("username", {
        required: true,
        autoComplete: "username",
        autoCapitalize: "none",
        spellCheck: false,
      })}
      {toField("email", { required: true, type: "email", autoComplete: "email", spellCheck: false })}
      {needsPassword && (
        <PasswordField
          label={t("profile:form.currentPassword")}
          name="current_password"
          autoComplete="current-password"
          required
          value={values.current_password}
          readOnly={isLocked}
          error={errors.current_password}
          note={t("profile:form.currentPasswordHint")}
          onChange={(event) => editor.type("current_password", event.currentTarget.value)}
        />
      )}
      <div className="profile-pair">
        {toField("first_name", { autoComplete: "given-name" })}
        {toField("last_name", { autoComplete: "family-name" })}
      </div>
      <BioField
        value={values.bio}
        error={errors.bio}
        isEditable={!isLocked}
        onType={(text) => editor.type("bio", text)}
        onBlur={() => editor.checkField("bio")}
      />
      {percent !== null && (
        <label className="profile-progress">
          {t("profile:edit.uploading", { percent })}
          <progress max={100} value={percent} />
        </label>
      )}
    </form>
  );
}
