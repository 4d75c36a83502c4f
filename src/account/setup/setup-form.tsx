import { LIMITS } from "#contract/limits.ts";
import { FormAlert } from "../../ui/form-messages.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useAccountText } from "../account-text.tsx";
import { UsernameField } from "../forms/username-field.tsx";
import { NewPasswordFields } from "../parts/new-password-fields.tsx";
import { type SetupServices, useSetupForm } from "./use-setup.ts";

interface SetupFormProps {
  token: string;
  services: SetupServices;
  /** Somebody else was faster. */
  onClosed: () => void;
}

/** Who will own the site. */
export function SetupForm({ token, services, onClosed }: SetupFormProps) {
  const t = useAccountText();
  const { form, phase, submit } = useSetupForm(services, token, onClosed);
  const { values, errors } = form;
  const buttonText = {
    idle: t("account:setup.submit"),
    submitting: t("account:setup.submitting"),
    done: t("account:setup.done"),
  };
  return (
    <>
      <p className="account-lead">{t("account:setup.lead")}</p>
      <form
        ref={form.formRef}
        className="account-form"
        method="post"
        noValidate
        onSubmit={submit}
        {...form.handlers}
      >
        <UsernameField username={values.username} error={errors.username} />
        <TextField
          label={t("account:register.email")}
          error={errors.email}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={LIMITS.emailMaxChars}
          required
        />
        <NewPasswordFields
          password={values.password}
          repeated={values.password_confirm}
          errors={{ password: errors.password, repeated: errors.password_confirm }}
        />
        <FormAlert>{errors.form}</FormAlert>
        <button className="button" type="submit" disabled={phase !== "idle"}>
          {buttonText[phase]}
        </button>
      </form>
    </>
  );
}
