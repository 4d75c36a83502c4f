import { useAccountText } from "../../account-text.tsx";
import { CodeBoxes } from "../../parts/code-boxes.tsx";
import { ResendButton } from "../../parts/resend-button.tsx";
import { useNewAddress } from "../new-address-card.tsx";
import { useProfile } from "../profile-context.tsx";

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
