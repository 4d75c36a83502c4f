import { FormAlert, FormStatus } from "../../ui/form-messages.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { SiteLink } from "../../ui/site-link.tsx";
import type { AccountServices } from "../account-services.ts";
import { useAccountText } from "../account-text.tsx";
import { CodeBoxes } from "../parts/code-boxes.tsx";
import { EmailAddress } from "../parts/email-address.tsx";
import { ResendButton } from "../parts/resend-button.tsx";
import { useVerification } from "./use-verification.ts";

/** The code that was sent to an address (specification A 2.9). */
export function CodeStep({ email, services }: { email: string; services: AccountServices }) {
  const t = useAccountText();
  const { prefix } = usePage();
  const { boxes, phase, fault, message, secondsLeft, resend, submit, boxEvents } = useVerification(
    services,
    email,
  );
  const isBusy = phase === "verifying" || phase === "done";
  return (
    <>
      <p className="account-lead">{t("account:verify.lead")}</p>
      <p className="verify-address">
        <strong>
          <EmailAddress email={email} />
        </strong>
        <SiteLink className="button-quiet" to="/register">
          {t("account:verify.edit")}
          <span className="visually-hidden"> – {t("account:verify.editNamed")}</span>
        </SiteLink>
      </p>
      <form className="account-form" method="post" noValidate onSubmit={submit}>
        <CodeBoxes
          ref={boxes}
          label={t("account:code.label")}
          error={fault}
          isRefused={message.kind === "bad" && message.isRefused}
          isBusy={isBusy}
          {...boxEvents}
        />
        {/* Beside the boxes that it is about: below the buttons it is out of sight on a phone. */}
        <FormAlert>{message.kind === "bad" && message.text}</FormAlert>
        <button className="button" type="submit" disabled={isBusy}>
          {phase === "verifying" ? t("account:verify.verifying") : t("account:verify.continue")}
        </button>
        <div className="account-row">
          <button
            type="button"
            className="button-quiet"
            disabled={isBusy}
            onClick={() => services.goBack(`${prefix}/login`)}
          >
            {t("account:verify.back")}
          </button>
          <ResendButton secondsLeft={secondsLeft} isBusy={isBusy || phase === "sending"} onResend={resend} />
        </div>
        <FormStatus>{message.kind === "good" && message.text}</FormStatus>
      </form>
    </>
  );
}
