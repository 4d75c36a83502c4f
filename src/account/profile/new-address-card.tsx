import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { OwnProfile } from "#contract/accounts/own-account.ts";
import { verifyEmailAnswer } from "#contract/accounts/registration.ts";
import { LIMITS } from "#contract/limits.ts";
import { HttpError } from "#providers/http/http.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { usePage } from "../../ui/page-context.tsx";
import { useAccountText } from "../account-area.tsx";
import { buildWaitingAddress } from "../arrival.ts";
import { CodeBoxes, type CodeBoxesHandle } from "../forms/code-boxes.tsx";
import { readResendMoment } from "../forms/remembered-registration.ts";
import { ResendButton, requestCode, useCooldown } from "../forms/send-code.tsx";
import { fetchProfile, sendProfile, toForm, useProfile } from "./own-profile.tsx";

type Step = "idle" | "confirming" | "resending" | "cancelling";

/** A new address that waits for its code: confirm it, ask for another code, or keep the old address. */
function useNewAddress(email: string) {
  const t = useAccountText();
  const { prefix } = usePage();
  const { profile, services, take, withSession, announce } = useProfile();
  const [step, setStep] = useState<Step>("idle");
  const [error, setError] = useState("");
  const [hasRefused, setHasRefused] = useState(false);
  const boxes = useRef<CodeBoxesHandle>(null);
  const cooldown = useCooldown("change", email);
  const http = services.getHttp();

  // An address that this tab sees first has just got its code.
  const begin = useEffectEvent(() => {
    if (readResendMoment("change", email) === 0) cooldown.start(LIMITS.codeResendCooldownS);
  });
  useEffect(() => begin(), []);

  async function run(
    next: Step,
    act: () => Promise<void>,
    toText: (failure: unknown) => string,
    onFailure?: (failure: unknown) => void,
  ) {
    if (step !== "idle") return;
    setStep(next);
    setError("");
    setHasRefused(false);
    try {
      await act();
    } catch (failure) {
      setError(toText(failure));
      onFailure?.(failure);
    } finally {
      setStep("idle");
    }
  }

  const isRefused = (failure: unknown) => failure instanceof HttpError && failure.status === 400;

  /** What the account has now; known from the accepted code also where the server can't be asked any more. */
  async function fetchConfirmed(): Promise<OwnProfile> {
    try {
      return await fetchProfile(http);
    } catch (error) {
      console.warn("The profile could not be loaded after its address was confirmed.", error);
      return { ...profile, email, pending_email: null };
    }
  }

  const confirm = (code: string) =>
    run(
      "confirming",
      async () => {
        const body = { email, otp_code: code };
        const path = "/api/users/verify-email/";
        const answer = await withSession(() =>
          http.request(path, { method: "POST", body, schema: verifyEmailAnswer }),
        );
        // The first address that this account has proven: its session ended with that.
        if (answer.is_waiting) return services.goTo(buildWaitingAddress(prefix));
        announce(t("profile:newAddress.done"));
        take(await fetchConfirmed());
      },
      (failure) =>
        toFailureText(
          failure,
          t(isRefused(failure) ? "profile:newAddress.invalid" : "account:verify.failed"),
          t,
        ),
      // A code that nobody looked at is not lost.
      (failure) => {
        setHasRefused(isRefused(failure));
        if (isRefused(failure)) boxes.current?.reset();
        else boxes.current?.focus();
      },
    );

  const resend = () =>
    run(
      "resending",
      async () => {
        cooldown.start(await withSession(() => requestCode(services, email)));
        announce(t("profile:newAddress.resent"));
      },
      (failure) => toFailureText(failure, t("profile:newAddress.resendFailed"), t),
    );

  const cancel = () =>
    run(
      "cancelling",
      async () => {
        // Writing the address that the account has takes the wish for another one back.
        take(await withSession(() => sendProfile(http, toForm({ email: profile.email }))));
        announce(t("profile:newAddress.cancelled"));
      },
      (failure) => toFailureText(failure, t("profile:newAddress.cancelFailed"), t),
    );

  return { step, error, hasRefused, boxes, secondsLeft: cooldown.secondsLeft, confirm, resend, cancel };
}

/** Asks for the code that went to a new address. */
export function NewAddressCard({ email }: { email: string }) {
  const t = useAccountText();
  const { profile } = useProfile();
  const { step, error, hasRefused, boxes, secondsLeft, confirm, resend, cancel } = useNewAddress(email);
  const isBusy = step !== "idle";
  return (
    <section className="new-address" aria-labelledby="new-address-title">
      <h2 id="new-address-title">{t("profile:newAddress.title")}</h2>
      <p>{t("profile:newAddress.text", { email, current: profile.email })}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void confirm(boxes.current?.read() ?? "");
        }}
      >
        <CodeBoxes
          ref={boxes}
          label={t("profile:newAddress.code")}
          error={error || undefined}
          isRefused={hasRefused}
          isBusy={isBusy}
          onComplete={(code) => void confirm(code)}
        />
        <div className="new-address-buttons">
          <button type="submit" className="button" disabled={isBusy}>
            {t(step === "confirming" ? "profile:newAddress.confirming" : "profile:newAddress.confirm")}
          </button>
          <ResendButton secondsLeft={secondsLeft} isBusy={isBusy} onResend={() => void resend()} />
          <button type="button" className="button-quiet" disabled={isBusy} onClick={() => void cancel()}>
            {t("profile:newAddress.cancel")}
          </button>
        </div>
      </form>
    </section>
  );
}
