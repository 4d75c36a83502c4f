import { isEmailShaped } from "#contract/accounts/account-rules.ts";
import { LIMITS } from "#contract/limits.ts";
import { FormAlert, FormStatus, ScriptNotes } from "../../ui/form-messages.tsx";
import { SiteLink } from "../../ui/site-link.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { BROWSER_SERVICES } from "../account-services.ts";
import { useAccountText } from "../account-text.tsx";
import { Indicator } from "../forms/password-fields.tsx";
import { UsernameField } from "../forms/username-field.tsx";
import { NewPasswordFields } from "../parts/new-password-fields.tsx";
import { useRedirectQuery } from "../use-hydrated-query.ts";
import { TermsField } from "./terms-field.tsx";
import { type RegisterServices, useRegister } from "./use-register.ts";

/** The registration (specification A 2.8). Before hydration its button is disabled, so nothing is sent by a plain form. */
export function RegisterPage({ services = BROWSER_SERVICES }: { services?: RegisterServices }) {
  const t = useAccountText();
  const { form, phase, success, canSubmit, noteInput, submit } = useRegister(services);
  const redirect = useRedirectQuery();
  const { values, errors } = form;
  const email = values.email.trim();
  return (
    <section className="account-card">
      <h1>{t("account:register.title")}</h1>
      <ScriptNotes needsScript={t("session:guard.needsScript")} incomplete={t("session:guard.incomplete")} />
      <form
        ref={form.formRef}
        className="account-form"
        method="post"
        noValidate
        onSubmit={submit}
        onBlur={form.handlers.onBlur}
        onInput={noteInput}
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
        >
          <Indicator
            isGood={email && !errors.email ? isEmailShaped(email) : undefined}
            good={t("account:register.emailGood")}
            bad={t("account:register.emailBad")}
          />
        </TextField>
        <NewPasswordFields
          password={values.password}
          repeated={values.password_confirm}
          errors={{ password: errors.password, repeated: errors.password_confirm }}
        />
        <TermsField error={errors.terms} />
        <FormAlert>{errors.form}</FormAlert>
        <FormStatus>{success}</FormStatus>
        <button className="button" type="submit" disabled={!canSubmit}>
          {phase === "submitting" ? t("account:register.submitting") : t("account:register.submit")}
        </button>
      </form>
      <p className="account-links">
        {t("account:register.hasAccount")}{" "}
        <SiteLink to={`/login${redirect}`}>{t("account:register.login")}</SiteLink>
      </p>
    </section>
  );
}
