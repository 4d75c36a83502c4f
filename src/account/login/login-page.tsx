import { FormAlert, FormStatus, ScriptNotes } from "../../ui/form-messages.tsx";
import { SiteLink } from "../../ui/site-link.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { BROWSER_SERVICES } from "../account-services.ts";
import { useAccountText } from "../account-text.tsx";
import { PasswordField } from "../parts/password-field.tsx";
import { type LoginServices, useLogin } from "../sign-in/login-page.tsx";
import { useRedirectQuery } from "../use-hydrated-query.ts";

/** The log-in page (specification A 2.7). Before hydration its button is disabled, so nothing is sent by a plain form. */
export function LoginPage({ services = BROWSER_SERVICES }: { services?: LoginServices }) {
  const t = useAccountText();
  const { form, phase, isExpired, canSubmit, submit } = useLogin(services);
  const redirect = useRedirectQuery();
  return (
    <section className="account-card">
      <h1>{t("account:login.title")}</h1>
      <ScriptNotes needsScript={t("account:login.needsScript")} incomplete={t("session:guard.incomplete")} />
      <form
        ref={form.formRef}
        className="account-form"
        method="post"
        noValidate
        onSubmit={submit}
        {...form.handlers}
      >
        <TextField
          label={t("account:login.name")}
          error={form.errors.username}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          required
        />
        <PasswordField
          label={t("account:login.password")}
          error={form.errors.password}
          name="password"
          autoComplete="current-password"
          required
        />
        <FormAlert>{form.errors.form || (isExpired && t("session:errors.sessionExpired"))}</FormAlert>
        <button className="button" type="submit" disabled={!canSubmit}>
          {t(phase === "idle" ? "account:login.submit" : "account:login.submitting")}
        </button>
        <FormStatus>{phase === "arriving" && t("account:login.success")}</FormStatus>
      </form>
      <p className="account-links">
        <SiteLink to={`/forgot-password${redirect}`}>{t("account:login.forgot")}</SiteLink>
      </p>
      <p className="account-links">
        {t("account:login.noAccount")}{" "}
        <SiteLink to={`/register${redirect}`}>{t("account:login.register")}</SiteLink>
      </p>
    </section>
  );
}
