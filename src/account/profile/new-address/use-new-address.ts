import { useRef, useState } from "react";
import { codeSentAnswer, verifyEmailAnswer } from "#contract/accounts.ts";
import { useAccountText } from "../../account-text.tsx";
import type { CodeBoxesHandle } from "../../parts/use-code-boxes.ts";
import { toFailureText } from "../failure-text.ts";
import { fetchProfile, sendProfile, toForm } from "../profile-call.ts";
import { useProfile } from "../profile-context.tsx";
import { useResendMoment } from "./use-resend-moment.ts";

type Step = "idle" | "confirming" | "resending" | "cancelling";

/** A new address that waits for its code: confirm it, ask for another code, or keep the old address. */
export function useNewAddress(email: string) {
  const t = useAccountText();
  const { profile, services, take, withSession, announce } = useProfile();
  const [step, setStep] = useState<Step>("idle");
  const [error, setError] = useState("");
  const boxes = useRef<CodeBoxesHandle>(null);
  const resendMoment = useResendMoment(services.tabStorage, email, services.now);
  const http = services.getHttp();

  async function run(next: Step, act: () => Promise<void>, fallback: string, onFailure?: () => void) {
    if (step !== "idle") return;
    setStep(next);
    setError("");
    try {
      await withSession(act);
    } catch (failure) {
      setError(toFailureText(failure, fallback, t));
      onFailure?.();
    } finally {
      setStep("idle");
    }
  }

  const confirm = (code: string) =>
    run(
      "confirming",
      async () => {
        const body = { email, otp_code: code };
        await http.request("/api/users/verify-email/", { method: "POST", body, schema: verifyEmailAnswer });
        take(await fetchProfile(http));
        announce(t("profile:newAddress.done"));
      },
      t("profile:newAddress.invalid"),
      () => boxes.current?.reset(),
    );

  const resend = () =>
    run(
      "resending",
      async () => {
        const answer = await http.request("/api/users/request-verification/", {
          method: "POST",
          body: { email },
          schema: codeSentAnswer,
        });
        resendMoment.waitFor(answer.retry_after);
        announce(t("profile:newAddress.resent"));
      },
      t("profile:newAddress.resendFailed"),
    );

  const cancel = () =>
    run(
      "cancelling",
      async () => {
        // Writing the address that the account has takes the wish for another one back.
        take(await sendProfile(http, toForm({ email: profile.email })));
        announce(t("profile:newAddress.cancelled"));
      },
      t("profile:newAddress.cancelFailed"),
    );

  return { step, error, boxes, secondsLeft: resendMoment.secondsLeft, confirm, resend, cancel };
}
