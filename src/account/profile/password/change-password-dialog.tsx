import { Dialog } from "../../../ui/dialog.tsx";
import { FormAlert } from "../../../ui/form-messages.tsx";
import { SiteLink } from "../../../ui/site-link.tsx";
import { useAccountText } from "../../account-text.tsx";
import { NewPasswordFields } from "../../parts/new-password-fields.tsx";
import { PasswordField } from "../../parts/password-field.tsx";
import { useChangePassword } from "../change-password-dialog.tsx";
import { useProfile } from "../profile-context.tsx";

/** The change-password form (the specification's quick action, made real). */
export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const t = useAccountText();
  const { profile } = useProfile();
  const { step, form, submit } = useChangePassword();
  if (step === "done") {
    return (
      <Dialog key="done" title={t("profile:password.title")} onCancel={onClose}>
        <p className="form-status" role="status">
          {t("profile:password.done")}
        </p>
        <div className="dialog-buttons">
          <button type="button" className="button" onClick={onClose}>
            {t("profile:password.close")}
          </button>
        </div>
      </Dialog>
    );
  }
  const isBusy = step === "submitting";
  return (
    <Dialog key="form" title={t("profile:password.title")} onCancel={isBusy ? undefined : onClose}>
      <form ref={form.formRef} className="account-form" noValidate onSubmit={submit} {...form.handlers}>
        {/* Password managers read whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={profile.username} readOnly />
        <PasswordField
          label={t("profile:password.current")}
          name="current_password"
          autoComplete="current-password"
          required
          error={form.errors.current_password}
        />
        <p>
          <SiteLink to="/forgot-password">{t("account:login.forgot")}</SiteLink>
        </p>
        <NewPasswordFields
          password={form.values.new_password}
          repeated={form.values.new_password_confirm}
          errors={{ password: form.errors.new_password, repeated: form.errors.new_password_confirm }}
          names={{ password: "new_password", repeated: "new_password_confirm" }}
          labels={{ password: t("account:password.new"), repeated: t("account:password.repeatNew") }}
        />
        <FormAlert>{form.errors.form}</FormAlert>
        <div className="dialog-buttons">
          <button type="button" className="button-quiet" disabled={isBusy} onClick={onClose}>
            {t("profile:password.cancel")}
          </button>
          <button type="submit" className="button" disabled={isBusy}>
            {t(isBusy ? "profile:password.submitting" : "profile:password.submit")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
