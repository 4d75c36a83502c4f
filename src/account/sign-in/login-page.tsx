import { type FormEvent, useEffect, useState } from "react";
import { HttpError } from "#providers/http/http.ts";
import { useFormFields } from "../../ui/use-form-fields.ts";
import type { AccountServices } from "../account-services.ts";
import { useAccountText } from "../account-text.tsx";
import { useArrival, useSignedIn } from "../arrival.ts";
import { takeExpired } from "../ended-session.ts";
import { findLoginErrors, LOGIN_FIELDS, toLoginText } from "../login/login-errors.ts";

export type LoginServices = Pick<AccountServices, "getSession" | "goTo">;

/** The log-in form's life: idle, submitting, then on to the target or back with errors. */
export function useLogin({ getSession, goTo }: LoginServices) {
  const t = useAccountText();
  const form = useFormFields({
    fields: LOGIN_FIELDS,
    findErrors: (values) => findLoginErrors(values, t),
  });
  const [phase, setPhase] = useState<"idle" | "submitting" | "arriving">("idle");
  const [isExpired, setIsExpired] = useState(false);
  useEffect(() => {
    if (takeExpired()) setIsExpired(true);
  }, []);
  const arrive = useArrival(goTo);
  useSignedIn(getSession, arrive);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (phase !== "idle" || !form.checkAll()) return;
    const { username, password } = form.read();
    setIsExpired(false);
    setPhase("submitting");
    try {
      const state = await getSession().signIn(username.trim(), password);
      setPhase("arriving");
      arrive(state);
    } catch (error) {
      form.showRefusal(error instanceof HttpError ? error.errors : [], toLoginText(error, t));
      setPhase("idle");
    }
  }

  return { form, phase, isExpired, canSubmit: form.isReady && phase === "idle", submit };
}
