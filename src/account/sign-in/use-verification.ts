import { type Dispatch, type FormEvent, useRef } from "react";
import { findCodeFaults } from "#contract/accounts/account-rules.ts";
import { verifyEmailAnswer } from "#contract/accounts/registration.ts";
import { HttpError } from "#providers/http/http.ts";
import { isNetworkError, toDocumentedText, toFailureText } from "../../ui/failure-text.ts";
import { usePage } from "../../ui/page-context.tsx";
import { useMachine } from "../../ui/use-machine.ts";
import { useAccountText } from "../account-area.tsx";
import type { AccountServices } from "../account-services.ts";
import { buildWaitingAddress, needsVerification } from "../arrival.ts";
import type { CodeBoxesHandle } from "../forms/code-boxes.tsx";
import { toFaultTexts } from "../forms/fault-text.ts";
import { forgetRegistration, readTicket, takeTicket } from "../forms/remembered-registration.ts";
import { requestCode, useCooldown } from "../forms/send-code.tsx";
import {
  EDITING,
  OPENING,
  reduceVerification,
  type VerificationEvent,
  type VerificationState,
} from "./verification-machine.ts";

/** Specification A section 4. */
const REDIRECT_MS = 1200;
const RESENT_SHOWN_MS = 3000;

/** The digits, or the secret of the mail's link. */
type Shown = { otp_code: string } | { proof: string };

/**
 * Sends a code to the server. @returns whose address it proved, whether this browser is signed in, by the code or from before, and
 * whether the account waits for a decision.
 */
async function verify({ getSession, getHttp }: AccountServices, email: string, shown: Shown) {
  const answer = await getHttp().request("/api/users/verify-email/", {
    method: "POST",
    body: { email, ...shown, ticket: readTicket() },
    schema: verifyEmailAnswer,
  });
  forgetRegistration();
  if (answer.session) getSession().adopt(answer.session);
  const state = await getSession()
    .restore()
    .catch((error: unknown) => {
      console.warn("The session could not be restored.", error);
      return getSession().getAuthState();
    });
  const isSignedIn = state !== null && !needsVerification(state.user);
  return { isSignedIn, isWaiting: answer.is_waiting, username: answer.username, reset: answer.reset };
}

/** Where somebody sets a password who confirmed an address elsewhere than they registered. Behind `#` no server sees it. */
function buildResetAddress(prefix: string, reset: { email: string; proof: string }): string {
  return `${prefix}/forgot-password#${new URLSearchParams({ ...reset, confirmed: "1" })}`;
}

/** Does `task` after a while. @returns how to leave it. */
function later(task: () => void, ms: number): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}

/** Does what the phases of a code's machine ask for. */
export function useVerification(services: AccountServices, email: string, proof: string) {
  const t = useAccountText();
  const { prefix } = usePage();
  const boxes = useRef<CodeBoxesHandle>(null);
  const cooldown = useCooldown("verify", email);

  async function ask(request: "first" | "another"): Promise<VerificationEvent> {
    try {
      // Also when a code is being looked at meanwhile: the server counts from this request on.
      cooldown.start(await requestCode(services, email, takeTicket()));
      return { type: "requested" };
    } catch (error) {
      const failed = t(request === "first" ? "account:verify.sendFailed" : "account:verify.resendFailed");
      return { type: "request_refused", reason: toDocumentedText(error, failed, t) };
    }
  }

  const check = async (code: string): Promise<VerificationEvent> => {
    try {
      return { type: "verified", ...(await verify(services, email, proof ? { proof } : { otp_code: code })) };
    } catch (error) {
      if (error instanceof HttpError && error.status === 400)
        return {
          type: "refused",
          what: "code",
          reason: t(proof ? "account:verify.linkOver" : "account:verify.invalid"),
        };
      const lost = isNetworkError(error) ? ` ${t("account:verify.lost")}` : "";
      const reason = toFailureText(error, t("account:verify.failed"), t) + lost;
      return { type: "refused", what: "call", reason };
    }
  };

  function enter(state: VerificationState, report: Dispatch<VerificationEvent>) {
    switch (state.phase) {
      case "opening":
        report({ type: "asked" });
        return;
      case "requesting":
        boxes.current?.focus();
        void ask(state.request).then(report);
        return;
      case "requested":
        if (state.request === "first") return;
        return later(() => report({ type: "request_shown" }), RESENT_SHOWN_MS);
      case "editing":
        return;
      case "verifying":
        void check(state.code).then(report);
        return;
      case "refused":
        if (state.what === "code") boxes.current?.reset();
        // A code that nobody looked at is not lost.
        if (state.what === "call") boxes.current?.focus();
        return;
      case "verified": {
        // Said there: this page would be gone before it is read.
        if (state.reset) return services.goTo(buildResetAddress(prefix, state.reset));
        const profile = `${prefix}/profile`;
        const login = `${prefix}/login?${new URLSearchParams({ redirect: profile })}`;
        const next = state.isWaiting ? buildWaitingAddress(prefix) : login;
        return later(() => services.goTo(state.isSignedIn ? profile : next), REDIRECT_MS);
      }
    }
  }
  const [state, dispatch] = useMachine(reduceVerification, () => (proof ? EDITING : OPENING), enter);

  function submit(code: string) {
    const { otp_code: fault } = proof ? {} : toFaultTexts(findCodeFaults(code), t);
    if (fault) boxes.current?.focus();
    dispatch({ type: "submitted", code, fault });
  }

  return {
    boxes,
    state,
    secondsLeft: cooldown.secondsLeft,
    resend: () => dispatch({ type: "asked" }),
    submit(event: FormEvent) {
      event.preventDefault();
      submit(boxes.current?.read() ?? "");
    },
    boxEvents: {
      onChange: () => dispatch({ type: "typed" }),
      onReject: () => dispatch({ type: "rejected", fault: t("account:faults.code_digits") }),
      onComplete: submit,
    },
  };
}
