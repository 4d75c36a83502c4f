import { type FormEvent, useEffect, useState } from "react";
import { trimRegistration } from "#contract/accounts/account-rules.ts";
import { registerAnswer } from "#contract/accounts/registration.ts";
import { HttpError } from "#providers/http/http.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { usePage } from "../../ui/page-context.tsx";
import { useFormFields } from "../../ui/use-form-fields.ts";
import type { AccountServices } from "../account-services.ts";
import { useAccountText } from "../account-text.tsx";
import { buildVerifyAddress, needsVerification, useArrival, useSignedIn } from "../arrival.ts";
import { keepResendMoment } from "../code-moments.ts";
import { keepDraft, keepTicket, readDraft, takeTicket } from "../forms/remembered-registration.ts";
import { useLater } from "../parts/use-later.ts";
import { findRegisterErrors, REGISTER_FIELDS, type RegisterValues } from "../sign-in/register-page.tsx";

export type RegisterServices = Pick<AccountServices, "getSession" | "getHttp" | "goTo" | "open">;

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
export function useRegister({ getSession, getHttp, goTo, open }: RegisterServices) {
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
    keepDraft(read());
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
    const body = { ...trimRegistration(values), ticket: takeTicket() };
    const answer = await getHttp().request("/api/users/register/", {
      method: "POST",
      body,
      schema: registerAnswer,
    });
    keepTicket(answer.ticket);
    keepResendMoment("verify", answer.email, Date.now() + answer.retry_after * 1000);
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
      keepDraft(form.read());
    },
    submit,
  };
}
