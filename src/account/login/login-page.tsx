import { useState } from "react";
import { TextField } from "../../ui/text-field.tsx";
import { getAccountSession } from "../account-session.ts";
import { useAccountText } from "../account-text.tsx";
import { type LoginServices, useLogin } from "./use-login.ts";

const BROWSER: LoginServices = {
  getSession: getAccountSession,
  // In place of this page: Back would only lead to a log-in page that sends a signed-in person on again.
  goTo: (address) => window.location.replace(address),
};

/** The log-in page (specification A 2.7). Before hydration its button is disabled, so nothing is sent by a plain form. */
export function LoginPage({ services = BROWSER }: { services?: LoginServices }) {
  const t = useAccountText();
  const { formRef, errors, phase, canSubmit, checkField, noteInput, submit } = useLogin(services);
  const [isPasswordShown, setIsPasswordShown] = useState(false);
  const buttonText = {
    idle: t("account:login.submit"),
    submitting: t("account:login.submitting"),
    arriving: t("account:login.success"),
  };
  return (
    <section className="account-card">
      <h1>{t("account:login.title")}</h1>
      <noscript>
        <p className="alert">{t("account:login.needsScript")}</p>
      </noscript>
      <p className="alert when-app-failed">{t("account:login.incomplete")}</p>
      <form ref={formRef} className="account-form" method="post" noValidate onSubmit={submit}>
        <TextField
          label={t("account:login.username")}
          error={errors.username}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          required
          onInput={() => noteInput("username")}
          onBlur={() => checkField("username")}
        />
        <TextField
          label={t("account:login.password")}
          error={errors.password}
          name="password"
          type={isPasswordShown ? "text" : "password"}
          autoComplete="current-password"
          autoCapitalize="none"
          spellCheck={false}
          required
          onInput={() => noteInput("password")}
          onBlur={() => checkField("password")}
        >
          <label className="check">
            <input
              type="checkbox"
              checked={isPasswordShown}
              onChange={(event) => setIsPasswordShown(event.currentTarget.checked)}
            />
            {t("account:login.showPassword")}
          </label>
        </TextField>
        <div className="alert" role="alert" tabIndex={-1}>
          {errors.form}
        </div>
        <button className="button" type="submit" disabled={!canSubmit}>
          {buttonText[phase]}
        </button>
      </form>
    </section>
  );
}
