import { type FormEvent, useEffect, useState } from "react";
import { takesStrangers } from "#contract/site/pages.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import { FormAlert, FormStatus, ScriptNotes } from "../../ui/form-messages.tsx";
import { SiteLink } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useFormFields } from "../../ui/use-form-fields.ts";
import { useAccountText } from "../account-area.tsx";
import { type AccountServices, BROWSER_SERVICES, useRedirectQuery } from "../account-services.ts";
import { buildWaitingAddress, takeNotice, useArrival, useSignedIn } from "../arrival.ts";
import { findLoginErrors, isWaiting, LOGIN_FIELDS, toLoginText } from "../forms/fault-text.ts";
import { PasswordField } from "../forms/password-fields.tsx";

type LoginServices = Pick<AccountServices, "getSession" | "goTo">;

/** The log-in form's life: idle, submitting, then on to the target or back with errors. */
function useLogin({ getSession, goTo }: LoginServices) {
  const t = useAccountText();
  const { prefix } = usePage();
  const form = useFormFields({
    fields: LOGIN_FIELDS,
    findErrors: (values) => findLoginErrors(values, t),
  });
  const [phase, setPhase] = useState<"idle" | "submitting" | "arriving">("idle");
  const [notice, setNotice] = useState("");
  useEffect(() => {
    const left = takeNotice();
    if (left) setNotice(left);
  }, []);
  const arrive = useArrival(goTo);
  useSignedIn(getSession, arrive);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (phase !== "idle" || !form.checkAll()) return;
    const { username, password } = form.read();
    await enter(() => getSession().signIn(username.trim(), password));
  }

  async function enter(signIn: () => Promise<AuthState>) {
    setNotice("");
    setPhase("submitting");
    try {
      const state = await signIn();
      setPhase("arriving");
      arrive(state);
    } catch (error) {
      if (isWaiting(error)) return goTo(buildWaitingAddress(prefix));
      form.showRefusal(error instanceof HttpError ? error.errors : [], toLoginText(error, t));
      setPhase("idle");
    }
  }

  const enterByPasskey = () => enter(() => getSession().signInByPasskey());
  return { form, phase, notice, canSubmit: form.isReady && phase === "idle", submit, enterByPasskey };
}

/** The log-in page (specification A 2.7). Before hydration its button is disabled, so nothing is sent by a plain form. */
export function LoginPage({ services = BROWSER_SERVICES }: { services?: LoginServices }) {
  const t = useAccountText();
  const { form, phase, notice, canSubmit, submit, enterByPasskey } = useLogin(services);
  const redirect = useRedirectQuery();
  const { site } = usePage();
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
        <FormAlert>{form.errors.form || notice}</FormAlert>
        <button className="button" type="submit" disabled={!canSubmit}>
          {t(phase === "idle" ? "account:login.submit" : "account:login.submitting")}
        </button>
        <button
          className="button-quiet needs-script"
          type="button"
          data-replay
          disabled={phase !== "idle"}
          onClick={enterByPasskey}
        >
          {t("account:login.passkey")}
        </button>
        <FormStatus>{phase === "arriving" && t("account:login.success")}</FormStatus>
      </form>
      <p className="account-links">
        <SiteLink to={`/forgot-password${redirect}`}>{t("account:login.forgot")}</SiteLink>
      </p>
      {takesStrangers(site.registration) && (
        <p className="account-links">
          {t("account:login.noAccount")}{" "}
          <SiteLink to={`/register${redirect}`}>{t("account:login.register")}</SiteLink>
        </p>
      )}
    </section>
  );
}
