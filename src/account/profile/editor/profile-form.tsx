import type { ComponentProps } from "react";
import { FormAlert } from "../../../ui/form-messages.tsx";
import { TextField as Field } from "../../../ui/text-field.tsx";
import { useAccountText } from "../../account-text.tsx";
import { PasswordField } from "../../parts/password-field.tsx";
import { BioField } from "./bio-field.tsx";
import { FORM_ID } from "./edit-buttons.tsx";
import type { TextField } from "./profile-values.ts";
import type { ProfileEditor } from "./use-profile-editor.ts";

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
  const { phase, values, errors, needsPassword, percent } = editor;
  const toField = (name: Exclude<TextField, "bio">, input: ComponentProps<"input"> = {}) => (
    <Field
      label={t(LABELS[name])}
      name={name}
      value={values[name]}
      error={errors[name]}
      readOnly={phase !== "edit"}
      placeholder={phase === "view" ? t("profile:card.none") : undefined}
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
      data-locked={phase === "view" || undefined}
      noValidate
      onSubmit={(event) => {
        // The button in the head sends it from any tab; what is wrong is shown here.
        onSubmit();
        void editor.save(event);
      }}
    >
      {editor.isRestored && (
        <div className="profile-note">
          <p role="status">{t("profile:edit.restored")}</p>
          <button type="button" className="button-quiet" onClick={editor.discard}>
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
          value={editor.password}
          readOnly={phase !== "edit"}
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
        isEditable={phase === "edit"}
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
