import { type FormEvent, useEffect, useId, useState } from "react";
import { findRegistrationFaults, isEmailShaped, trimRegistration } from "#contract/accounts/account-rules.ts";
import { registerAnswer } from "#contract/accounts/registration.ts";
import { LIMITS } from "#contract/limits.ts";
import { HttpError } from "#providers/http/http.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { FormAlert, FormStatus, ScriptNotes } from "../../ui/form-messages.tsx";
import { NewTabLink, SiteLink } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { describeControl, TextField } from "../../ui/text-field.tsx";
import { useFormFields } from "../../ui/use-form-fields.ts";
import { type AccountText, useAccountText } from "../account-area.tsx";
import { type AccountServices, BROWSER_SERVICES, useLater, useRedirectQuery } from "../account-services.ts";
import { buildVerifyAddress, needsVerification, useArrival, useSignedIn } from "../arrival.ts";
import { toFaultTexts } from "../forms/fault-text.ts";
import { Indicator, NewPasswordFields } from "../forms/password-fields.tsx";
import {
  readDraft,
  storeDraft,
  storeResendMoment,
  storeTicket,
  takeInvitation,
  takeTicket,
} from "../forms/remembered-registration.ts";
import { UsernameField } from "../forms/username-field.tsx";

const REGISTER_FIELDS = ["username", "email", "password", "password_confirm", "terms"] as const;
type RegisterValues = Record<(typeof REGISTER_FIELDS)[number], string>;

/** What is wrong with a registration, in words, by the rules that page and server share; the ticked box is the page's own. */
function findRegisterErrors(values: RegisterValues, t: AccountText): Partial<RegisterValues> {
  return {
    ...toFaultTexts(findRegistrationFaults(trimRegistration(values)), t),
    ...(!values.terms && { terms: t("account:faults.terms_required") }),
  };
}

type RegisterServices = Pick<AccountServices, "getSession" | "getHttp" | "goTo" | "open">;

/** So long the success message is there to be read, as after a verification (specification A section 4). */
const SUCCESS_SHOWN_MS = 1200;

/** What was typed in this tab before, into fields that are still empty. */
function refill(form: HTMLFormElement): void {
  for (const [name, value] of Object.entries(readDraft() ?? {})) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement && control.value === "") control.value = value;
  }
}

/** The registration's life: typed, checked, sent, and on to the code (specification A 2.8). */
function useRegister({ getSession, getHttp, goTo, open }: RegisterServices) {
  const t = useAccountText();
  const { prefix } = usePage();
  const form = useFormFields({
    fields: REGISTER_FIELDS,
    findErrors: (values) => findRegisterErrors(values, t),
  });
  const [phase, setPhase] = useState<"idle" | "submitting" | "done">("idle");
  const [success, setSuccess] = useState("");
  const later = useLater();
  const arrive = useArrival(goTo);
  // Who came back to edit an address may be signed in; that address is not proven, so registering again is their way.
  useSignedIn(getSession, (state) => !needsVerification(state.user) && arrive(state));

  const { formRef, measure, read } = form;
  useEffect(() => {
    if (!formRef.current) return;
    refill(formRef.current);
    measure();
    // Also what was typed before the page was ready.
    storeDraft(read());
  }, [formRef, measure, read]);

  useEffect(() => {
    // Back brings the page as it was left, which was after its success.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      setPhase("idle");
      setSuccess("");
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);

  async function send({ terms: _terms, ...values }: RegisterValues) {
    const body = { ...trimRegistration(values), ticket: takeTicket(), invitation: takeInvitation() };
    const answer = await getHttp().request("/api/users/register/", {
      method: "POST",
      body,
      schema: registerAnswer,
    });
    storeTicket(answer.ticket);
    storeResendMoment("verify", answer.email, Date.now() + answer.retry_after * 1000);
    setSuccess(answer.message);
    setPhase("done");
    later(() => open(buildVerifyAddress(prefix, answer.email)), SUCCESS_SHOWN_MS);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (phase !== "idle" || !form.checkAll()) return;
    setPhase("submitting");
    try {
      await send(form.read());
    } catch (error) {
      const faults = error instanceof HttpError ? error.errors : [];
      form.showRefusal(faults, toFailureText(error, t("account:register.failed"), t));
      setPhase("idle");
    }
  }

  return {
    form,
    phase,
    success,
    canSubmit: form.isReady && phase === "idle",
    noteInput(event: FormEvent<HTMLFormElement>) {
      form.handlers.onInput(event);
      storeDraft(form.read());
    },
    submit,
  };
}

/** The box that has to be ticked. The terms open in a new tab, so that the form stays. */
function TermsField({ error }: { error: string | undefined }) {
  const t = useAccountText();
  const { prefix } = usePage();
  const id = useId();
  return (
    <div className="field">
      <div className="terms">
        <label className="check">
          <input id={id} type="checkbox" name="terms" required {...describeControl(id, error)} />
          {t("account:register.terms")}
        </label>
        <NewTabLink href={`${prefix}/terms`}>{t("account:register.readTerms")}</NewTabLink>
      </div>
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** The registration (specification A 2.8). Before hydration its button is disabled, so nothing is sent by a plain form. */
export function RegisterPage({ services = BROWSER_SERVICES }: { services?: RegisterServices }) {
  const t = useAccountText();
  const { form, phase, success, canSubmit, noteInput, submit } = useRegister(services);
  const redirect = useRedirectQuery();
  const { site } = usePage();
  const { values, errors } = form;
  const email = values.email.trim();
  return (
    <section className="account-card">
      <h1>{t("account:register.title")}</h1>
      {site.registration === "approval" && <p className="account-lead">{t("account:register.approval")}</p>}
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
