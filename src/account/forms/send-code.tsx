import { useEffect, useState } from "react";
import { isEmailShaped } from "#contract/accounts/account-rules.ts";
import { codeSentAnswer } from "#contract/accounts/registration.ts";
import { useAccountText } from "../account-area.tsx";
import type { AccountServices } from "../account-services.ts";
import { type CodePurpose, readResendMoment, storeResendMoment } from "./remembered-registration.ts";

/**
 * What the link of a mail brings behind `#`, where no server gets to see it: an address, and the secret that shows that its mail was
 * read. Empty: it brings none. `isConfirmed`: the page that confirmed the address led here.
 */
export function readMailLink(hash: string): { email: string; proof: string; isConfirmed: boolean } {
  const values = new URLSearchParams(hash.slice(1));
  const email = values.get("email")?.trim() ?? "";
  if (!isEmailShaped(email)) return { email: "", proof: "", isConfirmed: false };
  return { email, proof: values.get("proof") ?? "", isConfirmed: values.has("confirmed") };
}

/** Asks for a code to an address. @returns seconds until another one may be asked for. @throws HttpError */
export async function requestCode(
  { getHttp }: Pick<AccountServices, "getHttp">,
  email: string,
  ticket?: string,
): Promise<number> {
  const answer = await getHttp().request("/api/users/request-verification/", {
    method: "POST",
    body: { email, ticket },
    schema: codeSentAnswer,
  });
  return answer.retry_after;
}

const TICK_MS = 1000;

/** Seconds until another code may be asked for (specification A section 4), live. */
export function useCooldown(purpose: CodePurpose, email: string) {
  const [untilMs, setUntilMs] = useState(0);
  const [nowMs, setNowMs] = useState(0);

  useEffect(() => {
    setNowMs(Date.now());
    setUntilMs(readResendMoment(purpose, email));
  }, [purpose, email]);

  const isRunning = untilMs > nowMs;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);

  return {
    secondsLeft: Math.max(0, Math.ceil((untilMs - nowMs) / 1000)),
    start(seconds: number) {
      const now = Date.now();
      storeResendMoment(purpose, email, now + seconds * 1000);
      setNowMs(now);
      setUntilMs(now + seconds * 1000);
    },
  };
}

interface ResendButtonProps {
  /** Until another code may be asked for. */
  secondsLeft: number;
  isBusy: boolean;
  onResend: () => void;
}

/** Asks for another code; says how long to wait while none is given. */
export function ResendButton({ secondsLeft, isBusy, onResend }: ResendButtonProps) {
  const t = useAccountText();
  return (
    <button type="button" className="button-quiet" disabled={isBusy || secondsLeft > 0} onClick={onResend}>
      {secondsLeft > 0 ? t("account:verify.resendIn", { count: secondsLeft }) : t("account:verify.resend")}
    </button>
  );
}

/** A line that is too short for the address ends at its `@`. */
export function EmailAddress({ email }: { email: string }) {
  const at = email.lastIndexOf("@");
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}
