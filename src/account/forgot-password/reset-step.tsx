import type { AuthState } from "#providers/http/auth-state.ts";
import { FormAlert, FormStatus } from "../../ui/form-messages.tsx";
import type { AccountServices } from "../account-services.ts";
import { useAccountText } from "../account-text.tsx";
import { CodeBoxes } from "../parts/code-boxes.tsx";
import { NewPasswordFields } from "../parts/new-password-fields.tsx";
import { ResendButton } from "../parts/resend-button.tsx";
import { useReset } from "./use-reset.ts";

interface ResetStepProps {
  email: string;
  services: AccountServices;
  onOtherEmail: () => void;
  onDone: (state: AuthState) => void;
}

/** The code from the mail, and the new password twice. */
export function ResetStep({ email, services, onOtherEmail, onDone }: ResetStepProps) {
  const t = useAccountText();
  const { boxes, phase, fault, isRefused, form, resent, secondsLeft, resend, submit, boxEvents } = useReset(
    services,
    email,
    onDone,
  );
  const isBusy = phase === "submitting";
  return (
    <>
      <p className="account-lead">{t("account:forgot.codeLead", { email })}</p>
      <form
        ref={form.formRef}
        className="account-form"
        method="post"
        noValidate
        onSubmit={submit}
        {...form.handlers}
      >
        {/* Tells password managers whose password it is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <CodeBoxes
          ref={boxes}
          label={t("account:code.label")}
          error={fault}
          isRefused={isRefused}
          isBusy={isBusy}
          {...boxEvents}
        />
        <NewPasswordFields
          password={form.values.password}
          repeated={form.values.password_confirm}
          errors={{ password: form.errors.password, repeated: form.errors.password_confirm }}
          labels={{ password: t("account:password.new"), repeated: t("account:password.repeatNew") }}
        />
        <FormAlert>{form.errors.form}</FormAlert>
        <button className="button" type="submit" disabled={isBusy}>
          {isBusy ? t("account:forgot.submitting") : t("account:forgot.submit")}
        </button>
        <div className="account-row">
          <button type="button" className="button-quiet" disabled={isBusy} onClick={onOtherEmail}>
            {t("account:forgot.otherEmail")}
          </button>
          <ResendButton secondsLeft={secondsLeft} isBusy={phase !== "idle"} onResend={resend} />
        </div>
        <FormStatus>{resent}</FormStatus>
      </form>
    </>
  );
}
