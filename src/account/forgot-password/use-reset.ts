import { type FormEvent, useEffect, useRef, useState } from "react";
import { findCodeFaults, findNewPasswordFaults } from "#contract/accounts/account-rules.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import { toDocumentedText, toFailureText } from "../../ui/failure-text.ts";
import { useFormFields } from "../../ui/use-form-fields.ts";
import type { AccountServices } from "../account-services.ts";
import { useAccountText } from "../account-text.tsx";
import { toFaultTexts } from "../forms/fault-text.ts";
import type { CodeBoxesHandle } from "../parts/use-code-boxes.ts";
import { useCooldown } from "../parts/use-cooldown.ts";
import { useLater } from "../parts/use-later.ts";
import { requestResetCode, resetPassword } from "../sign-in/reset-step.tsx";

/** Specification A section 4. */
const RESENT_SHOWN_MS = 3000;
const RESET_FIELDS = ["password", "password_confirm"] as const;
const NAMES = { password: RESET_FIELDS[0], repeated: RESET_FIELDS[1] };

/** Code and new password: entered, sent, and done or back with errors. What is right in a refused form stays. */
export function useReset(services: AccountServices, email: string, onDone: (state: AuthState) => void) {
  const t = useAccountText();
  const boxes = useRef<CodeBoxesHandle>(null);
  const [phase, setPhase] = useState<"idle" | "sending" | "submitting">("idle");
  const [fault, setFault] = useState<string>();
  const [isRefused, setIsRefused] = useState(false);
  const [resent, setResent] = useState("");
  const cooldown = useCooldown("reset", email);
  const later = useLater();
  const form = useFormFields({
    fields: RESET_FIELDS,
    findErrors: ({ password, password_confirm }) =>
      toFaultTexts(findNewPasswordFaults({ password, repeated: password_confirm }, NAMES), t),
  });
  useEffect(() => boxes.current?.focus(), []);

  function refuse(error: unknown) {
    const faults = error instanceof HttpError ? error.errors : [];
    const isInvalid = error instanceof HttpError && error.code === "invalid_verification_code";
    const codeFault = isInvalid
      ? t("account:verify.invalid")
      : faults.find(({ field }) => field === "otp_code")?.message;
    if (!codeFault) return form.showRefusal(faults, toFailureText(error, t("account:forgot.failed"), t));
    setFault(codeFault);
    setIsRefused(isInvalid);
    boxes.current?.reset();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (phase !== "idle") return;
    const otp_code = boxes.current?.read() ?? "";
    const codeFault = toFaultTexts(findCodeFaults(otp_code), t).otp_code;
    setFault(codeFault);
    setResent("");
    setIsRefused(false);
    const isRight = form.checkAll();
    if (codeFault) boxes.current?.focus();
    if (codeFault || !isRight) return;
    setPhase("submitting");
    try {
      const answer = await resetPassword(services, { email, otp_code, ...form.read() });
      onDone(services.getSession().adopt(answer));
    } catch (error) {
      refuse(error);
      setPhase("idle");
    }
  }

  async function resend() {
    setPhase("sending");
    boxes.current?.focus();
    try {
      cooldown.start(await requestResetCode(services, email));
      setFault(undefined);
      setIsRefused(false);
      setResent(t("account:verify.resent"));
      later(() => setResent(""), RESENT_SHOWN_MS);
    } catch (error) {
      form.showRefusal([], toDocumentedText(error, t("account:verify.resendFailed"), t));
    }
    setPhase("idle");
  }

  return {
    boxes,
    phase,
    fault,
    isRefused,
    form,
    resent,
    secondsLeft: cooldown.secondsLeft,
    resend: () => void resend(),
    submit,
    boxEvents: {
      onChange: () => setFault(undefined),
      onReject: () => setFault(t("account:faults.code_digits")),
      onComplete: () => form.formRef.current?.querySelector<HTMLInputElement>('[name="password"]')?.focus(),
    },
  };
}
