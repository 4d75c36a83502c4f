import { type FormEvent, useEffect, useRef, useState } from "react";
import { findCodeFaults, findNewPasswordFaults } from "#contract/accounts/account-rules.ts";
import type { LoginAnswer } from "#contract/accounts/accounts.ts";
import {
  codeSentAnswer,
  type ResetPasswordRequest,
  resetPasswordAnswer,
} from "#contract/accounts/registration.ts";
import { createSafeStorage } from "#providers/browser-storage.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import { toDocumentedText, toFailureText } from "../../ui/failure-text.ts";
import { FormAlert, FormStatus } from "../../ui/form-messages.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { useFormFields } from "../../ui/use-form-fields.ts";
import { useAccountText } from "../account-area.tsx";
import { type AccountServices, useLater, useRedirectQuery } from "../account-services.ts";
import { buildWaitingAddress, leaveNotice } from "../arrival.ts";
import { CodeBoxes, type CodeBoxesHandle } from "../forms/code-boxes.tsx";
import { isWaiting, toFaultTexts } from "../forms/fault-text.ts";
import { NewPasswordFields } from "../forms/password-fields.tsx";
import { createTicket } from "../forms/remembered-registration.ts";
import { ResendButton, useCooldown } from "../forms/send-code.tsx";

type Caller = Pick<AccountServices, "getHttp">;

const tabStorage = createSafeStorage(() => globalThis.sessionStorage);
const TICKET_KEY = "password-reset-ticket";

/** This tab's, also after a reload: tries that come with it are its own, so that nobody else uses them up. */
function takeResetTicket(): string {
  const ticket = tabStorage.getItem(TICKET_KEY) ?? createTicket();
  tabStorage.setItem(TICKET_KEY, ticket);
  return ticket;
}

/** Asks for a code to set a new password with. The answer is the same for every address. @throws HttpError */
export async function requestResetCode({ getHttp }: Caller, email: string): Promise<number> {
  const path = "/api/users/password/forgot/";
  const body = { email, ticket: takeResetTicket() };
  const answer = await getHttp().request(path, { method: "POST", body, schema: codeSentAnswer });
  return answer.retry_after;
}

/** Sets the new password, which ends all sessions. @returns the one that begins with it. @throws HttpError */
async function resetPassword({ getHttp }: Caller, body: ResetPasswordRequest): Promise<LoginAnswer> {
  const path = "/api/users/password/reset/";
  const answer = await getHttp().request(path, { method: "POST", body, schema: resetPasswordAnswer });
  return answer.session;
}

/** Specification A section 4. */
const RESENT_SHOWN_MS = 3000;
const RESET_FIELDS = ["password", "password_confirm"] as const;
const NAMES = { password: RESET_FIELDS[0], repeated: RESET_FIELDS[1] };

interface ResetStepProps {
  email: string;
  /** Of the link in the mail, which needs no digits; empty: none. */
  proof: string;
  /** What is said above. */
  lead: string;
  services: AccountServices;
  onOtherEmail: () => void;
  onDone: (state: AuthState) => void;
  /** The link was used, or its time is over: digits are asked for, and the passwords stay. */
  onLinkOver: () => void;
}

/** Code and new password: entered, sent, and done or back with errors. What is right in a refused form stays. */
function useReset({ services, email, proof, onDone, onLinkOver }: ResetStepProps) {
  const t = useAccountText();
  const { prefix } = usePage();
  const boxes = useRef<CodeBoxesHandle>(null);
  const [phase, setPhase] = useState<"idle" | "sending" | "submitting">("idle");
  const [fault, setFault] = useState<string>();
  const [isRefused, setIsRefused] = useState(false);
  const [resent, setResent] = useState("");
  const cooldown = useCooldown("reset", email);
  const later = useLater();
  const redirect = useRedirectQuery();
  const form = useFormFields({
    fields: RESET_FIELDS,
    findErrors: ({ password, password_confirm }) =>
      toFaultTexts(findNewPasswordFaults({ password, repeated: password_confirm }, NAMES), t),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: without a proof there are boxes
  useEffect(() => boxes.current?.focus(), [proof]);

  /** The password is set and the code spent, but the second half of the log-in went wrong: all that is left is to log in. */
  function leaveToLogin() {
    leaveNotice(t("account:forgot.setButNotIn"));
    services.goTo(`${prefix}/login${redirect}`);
  }

  function refuse(error: unknown) {
    // The password is set: it counts once the account may log in.
    if (isWaiting(error)) return services.goTo(buildWaitingAddress(prefix));
    const faults = error instanceof HttpError ? error.errors : [];
    const isInvalid = error instanceof HttpError && error.code === "invalid_verification_code";
    const codeFault = isInvalid
      ? t("account:verify.invalid")
      : faults.find(({ field }) => field === "otp_code")?.message;
    if (isInvalid && proof) {
      setFault(t("account:forgot.linkOver"));
      return onLinkOver();
    }
    if (!codeFault) return form.showRefusal(faults, toFailureText(error, t("account:forgot.failed"), t));
    setFault(codeFault);
    setIsRefused(isInvalid);
    boxes.current?.reset();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (phase !== "idle") return;
    const otp_code = boxes.current?.read() ?? "";
    const codeFault = proof ? undefined : toFaultTexts(findCodeFaults(otp_code), t).otp_code;
    setFault(codeFault);
    setResent("");
    setIsRefused(false);
    const isRight = form.checkAll();
    if (codeFault) boxes.current?.focus();
    if (codeFault || !isRight) return;
    setPhase("submitting");
    let isPasswordSet = false;
    try {
      const { adopt, proveFactor } = services.getSession();
      const shown = proof ? { otp_code: "", proof } : { otp_code, ticket: takeResetTicket() };
      const entered = resetPassword(services, { email, ...shown, ...form.read() }).then(adopt, (refusal) => {
        isPasswordSet = refusal instanceof HttpError && refusal.code === "second_factor_required";
        return proveFactor(refusal);
      });
      onDone(await entered);
      tabStorage.removeItem(TICKET_KEY);
    } catch (error) {
      if (isPasswordSet) leaveToLogin();
      else refuse(error);
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

/** The code from the mail, and the new password twice. */
export function ResetStep(props: ResetStepProps) {
  const { email, proof, lead, onOtherEmail } = props;
  const t = useAccountText();
  const { boxes, phase, fault, isRefused, form, resent, secondsLeft, resend, submit, boxEvents } =
    useReset(props);
  const isBusy = phase === "submitting";
  return (
    <>
      <p className="account-lead">{lead}</p>
      <form
        ref={form.formRef}
        className="account-form"
        method="post"
        noValidate
        onSubmit={submit}
        {...form.handlers}
      >
        {/* Shows password managers whose password it is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        {!proof && (
          <CodeBoxes
            ref={boxes}
            label={t("account:code.label")}
            error={fault}
            isRefused={isRefused}
            isBusy={isBusy}
            {...boxEvents}
          />
        )}
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
          {!proof && <ResendButton secondsLeft={secondsLeft} isBusy={phase !== "idle"} onResend={resend} />}
        </div>
        <FormStatus>{resent}</FormStatus>
      </form>
    </>
  );
}
