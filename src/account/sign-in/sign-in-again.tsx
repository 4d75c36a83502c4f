import "../account.css";
import { type FormEvent, useEffect, useState } from "react";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormAlert } from "../../ui/form-messages.tsx";
import { useFormFields } from "../../ui/use-form-fields.ts";
import { useAccountText } from "../account-area.tsx";
import { takeNotice } from "../arrival.ts";
import { findLoginErrors, toLoginText } from "../forms/fault-text.ts";
import { PasswordField } from "../forms/password-fields.tsx";

interface SignInAgainProps {
  /** Who was signed in. Nobody else can be, from here: what stands on the screen is theirs. */
  username: string;
  getSession: () => Pick<Session, "signIn">;
  onSignedIn: (state: AuthState) => void;
  onCancel: () => void;
}

const FIELDS = ["password"] as const;

/** Over a screen whose session died: the password again, and what was typed below is kept. Open as long as it is drawn. */
export function SignInAgain({ username, getSession, onSignedIn, onCancel }: SignInAgainProps) {
  const t = useAccountText();
  const [isBusy, setIsBusy] = useState(false);
  const [why, setWhy] = useState(t("session:errors.sessionExpired"));
  useEffect(() => {
    const left = takeNotice();
    if (left) setWhy(left);
  }, []);
  const form = useFormFields({
    fields: FIELDS,
    findErrors: ({ password }) => findLoginErrors({ username, password }, t),
  });

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isBusy || !form.checkAll()) return;
    setIsBusy(true);
    try {
      onSignedIn(await getSession().signIn(username, form.read().password));
    } catch (error) {
      form.showRefusal(
        error instanceof HttpError ? error.errors : [],
        toLoginText(error, t, t("session:errors.userLoginFailed")),
      );
      setIsBusy(false);
    }
  }

  return (
    <Dialog title={t("account:signInAgain.title")} onCancel={isBusy ? undefined : onCancel}>
      <p className="account-lead">{t("account:signInAgain.lead", { why })}</p>
      <form
        ref={form.formRef}
        className="account-form"
        method="post"
        noValidate
        onSubmit={submit}
        {...form.handlers}
      >
        <p>
          {t("account:login.username")}: <strong>{username}</strong>
        </p>
        {/* Shows password managers whose password it is. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          label={t("account:login.password")}
          error={form.errors.password}
          name="password"
          autoComplete="current-password"
          required
        />
        <FormAlert>{form.errors.form}</FormAlert>
        <div className="dialog-buttons">
          <button type="button" className="button-quiet" disabled={isBusy} onClick={onCancel}>
            {t("account:signInAgain.cancel")}
          </button>
          <button className="button" type="submit" disabled={isBusy}>
            {isBusy ? t("account:signInAgain.submitting") : t("account:signInAgain.submit")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
