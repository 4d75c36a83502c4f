import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { findCodeFaults } from "#contract/accounts/account-rules.ts";
import { verifyEmailAnswer } from "#contract/accounts/registration.ts";
import { HttpError } from "#providers/http/http.ts";
import { isNetworkError, toDocumentedText, toFailureText } from "../../ui/failure-text.ts";
import { usePage } from "../../ui/page-context.tsx";
import { useAccountText } from "../account-area.tsx";
import { type AccountServices, useLater } from "../account-services.ts";
import { needsVerification } from "../arrival.ts";
import type { CodeBoxesHandle } from "../forms/code-boxes.tsx";
import { toFaultTexts } from "../forms/fault-text.ts";
import { forgetRegistration, readTicket } from "../forms/remembered-registration.ts";
import { requestCode, useCooldown } from "../forms/send-code.tsx";

/** Specification A section 4. */
const REDIRECT_MS = 1200;
const RESENT_SHOWN_MS = 3000;

/** Sends a code to the server. @returns whose address it proved, and whether this browser is signed in: by the code, or from before. */
async function verify({ getSession, getHttp }: AccountServices, email: string, code: string) {
  const answer = await getHttp().request("/api/users/verify-email/", {
    method: "POST",
    body: { email, otp_code: code, ticket: readTicket() },
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
  return { isSignedIn, username: answer.username };
}

type Message = { kind: "none" } | { kind: "good" | "bad"; text: string; isRefused?: boolean };
const NONE: Message = { kind: "none" };

/** A code's life: sent on load, entered, looked at, and on to the profile or back to the first box (specification A 2.9, 4, 8). */
export function useVerification(services: AccountServices, email: string) {
  const t = useAccountText();
  const { prefix } = usePage();
  const boxes = useRef<CodeBoxesHandle>(null);
  const [phase, setPhase] = useState<"idle" | "sending" | "verifying" | "done">("idle");
  const [fault, setFault] = useState<string>();
  const [message, setMessage] = useState<Message>(NONE);
  const cooldown = useCooldown("verify", email);
  const later = useLater();
  /** Counts what was begun: an answer of something older has nothing to say any more. */
  const turn = useRef(0);

  async function send(texts: { sent: string; failed: string; shownMs?: number }) {
    turn.current += 1;
    const mine = turn.current;
    setPhase("sending");
    setMessage(NONE);
    try {
      cooldown.start(await requestCode(services, email));
      if (mine !== turn.current) return;
      setMessage({ kind: "good", text: texts.sent });
      if (texts.shownMs) later(() => setMessage(NONE), texts.shownMs);
    } catch (error) {
      if (mine !== turn.current) return;
      setMessage({ kind: "bad", text: toDocumentedText(error, texts.failed, t) });
    }
    setPhase("idle");
  }

  const isAsked = useRef(false);
  const begin = useEffectEvent(() => {
    if (isAsked.current) return;
    isAsked.current = true;
    boxes.current?.focus();
    void send({ sent: t("account:verify.sent"), failed: t("account:verify.sendFailed") });
  });
  useEffect(() => begin(), []);

  function refuse(error: unknown) {
    const isInvalid = error instanceof HttpError && error.status === 400;
    const reason = toFailureText(error, t("account:verify.failed"), t);
    const lost = isNetworkError(error) ? ` ${t("account:verify.lost")}` : "";
    const text = isInvalid ? t("account:verify.invalid") : reason + lost;
    setMessage({ kind: "bad", text, isRefused: isInvalid });
    setPhase("idle");
    // A code that nobody looked at is not lost.
    if (isInvalid) boxes.current?.reset();
    else boxes.current?.focus();
  }

  async function check(code: string) {
    if (phase === "verifying" || phase === "done") return;
    const { otp_code } = toFaultTexts(findCodeFaults(code), t);
    setFault(otp_code);
    if (otp_code) return boxes.current?.focus();
    turn.current += 1;
    setPhase("verifying");
    setMessage(NONE);
    try {
      const { isSignedIn, username } = await verify(services, email, code);
      setPhase("done");
      const text = isSignedIn ? t("account:verify.success") : t("account:verify.successLogin", { username });
      setMessage({ kind: "good", text });
      const back = new URLSearchParams({ redirect: `${prefix}/profile` });
      later(() => services.goTo(isSignedIn ? `${prefix}/profile` : `${prefix}/login?${back}`), REDIRECT_MS);
    } catch (error) {
      refuse(error);
    }
  }

  return {
    boxes,
    phase,
    fault,
    message,
    secondsLeft: cooldown.secondsLeft,
    resend() {
      boxes.current?.focus();
      void send({
        sent: t("account:verify.resent"),
        failed: t("account:verify.resendFailed"),
        shownMs: RESENT_SHOWN_MS,
      });
    },
    submit(event: FormEvent) {
      event.preventDefault();
      void check(boxes.current?.read() ?? "");
    },
    boxEvents: {
      onChange: () => setFault(undefined),
      onReject: () => setFault(t("account:faults.code_digits")),
      onComplete: (code: string) => void check(code),
    },
  };
}
