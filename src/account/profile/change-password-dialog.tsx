import { type FormEvent, useState } from "react";
import { type AccountFault, findNewPasswordFaults } from "#contract/accounts/account-rules.ts";
import { doneAnswer } from "#contract/accounts/accounts.ts";
import { HttpError } from "#providers/http/http.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { toFailureText } from "../../ui/failure-text.ts";
import { FormAlert } from "../../ui/form-messages.tsx";
import { SiteLink } from "../../ui/links.tsx";
import { type FormValues, useFormFields } from "../../ui/use-form-fields.ts";
import { type AccountText, useAccountText } from "../account-area.tsx";
import { toFaultTexts } from "../forms/fault-text.ts";
import { NewPasswordFields, PasswordField } from "../forms/password-fields.tsx";
import { useProfile } from "./own-profile.tsx";

const FIELDS = ["current_password", "new_password", "new_password_confirm"] as const;
type Field = (typeof FIELDS)[number];

function findErrors(values: FormValues<Field>, t: AccountText) {
  const faults: AccountFault<Field>[] = findNewPasswordFaults<Field>(
    { password: values.new_password, repeated: values.new_password_confirm },
    { password: "new_password", repeated: "new_password_confirm" },
  );
  return {
    ...toFaultTexts(faults, t),
    ...(values.current_password === "" && { current_password: t("profile:password.currentRequired") }),
  };
}

/** The form of the dialog: open, submitting, done. The form keeps its passwords; nothing else ever holds them. */
function useChangePassword() {
  const t = useAccountText();
  const { services, withSession } = useProfile();
  const [step, setStep] = useState<"open" | "submitting" | "done">("open");
  const form = useFormFields({ fields: FIELDS, findErrors: (values) => findErrors(values, t) });

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (step !== "open" || !form.checkAll()) return;
    setStep("submitting");
    try {
      const call = { method: "POST", body: form.read(), schema: doneAnswer } as const;
      await withSession(() => services.getHttp().request("/api/users/password/", call));
      setStep("done");
    } catch (error) {
      const faults = error instanceof HttpError ? error.errors : [];
      form.showRefusal(faults, toFailureText(error, t("profile:password.failed"), t));
      setStep("open");
    }
  }

  return { step, form, submit };
}

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
