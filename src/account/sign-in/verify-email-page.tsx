import { useLocation, useSearchParams } from "react-router";
import { isEmailShaped } from "#contract/accounts/account-rules.ts";
import { FormAlert, FormStatus, ScriptNotes } from "../../ui/form-messages.tsx";
import { SiteLink } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { type AccountText, useAccountText } from "../account-area.tsx";
import { type AccountServices, BROWSER_SERVICES, useHydratedQuery } from "../account-services.ts";
import { needsVerification, useSignedIn } from "../arrival.ts";
import { CodeBoxes } from "../forms/code-boxes.tsx";
import { EmailStep } from "../forms/email-step.tsx";
import { EmailAddress, ResendButton, readMailLink } from "../forms/send-code.tsx";
import { useVerification } from "./use-verification.ts";
import type { VerificationState } from "./verification-machine.ts";

/** What is said below the buttons. */
function toGoodText(state: VerificationState, t: AccountText): string | false {
  switch (state.phase) {
    case "requested":
      return t(state.request === "first" ? "account:verify.sent" : "account:verify.resent");
    case "verified":
      if (state.isWaiting && !state.isSignedIn) return t("account:verify.successWaiting");
      return state.isSignedIn
        ? t("account:verify.success")
        : t("account:verify.successLogin", { username: state.username });
    default:
      return false;
  }
}

/** The code that was sent to an address (specification A 2.9). */
function CodeStep({
  email,
  proof = "",
  services,
}: {
  email: string;
  proof?: string;
  services: AccountServices;
}) {
  const t = useAccountText();
  const { prefix } = usePage();
  const [, setQuery] = useSearchParams();
  const { boxes, state, secondsLeft, resend, submit, boxEvents } = useVerification(services, email, proof);
  const isBusy = state.phase === "verifying" || state.phase === "verified";
  const isRefused = state.phase === "refused";
  return (
    <>
      <p className="account-lead">{t(proof ? "account:verify.linkLead" : "account:verify.lead")}</p>
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
        {!proof && (
          <CodeBoxes
            ref={boxes}
            label={t("account:code.label")}
            error={isBusy ? undefined : state.fault}
            isRefused={isRefused && state.what === "code"}
            isBusy={isBusy}
            {...boxEvents}
          />
        )}
        {/* Beside the boxes that it is about: below the buttons it is out of sight on a phone. */}
        <FormAlert>{isRefused && state.reason}</FormAlert>
        <button className="button" type="submit" disabled={isBusy}>
          {state.phase === "verifying"
            ? t("account:verify.verifying")
            : t(proof ? "account:verify.confirm" : "account:verify.continue")}
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
          {proof ? (
            <button
              type="button"
              className="button-quiet"
              disabled={isBusy}
              onClick={() => setQuery({ email }, { replace: true })}
            >
              {t("account:verify.byCode")}
            </button>
          ) : (
            <ResendButton
              secondsLeft={secondsLeft}
              isBusy={isBusy || state.phase === "requesting"}
              onResend={resend}
            />
          )}
        </div>
        <FormStatus>{toGoodText(state, t)}</FormStatus>
      </form>
    </>
  );
}

/** The server draws one page for all addresses, so it can't know which step comes: what it draws is the wait for that. */
function Step({ services }: { services: AccountServices }) {
  const t = useAccountText();
  const query = useHydratedQuery();
  const { hash } = useLocation();
  const [, setQuery] = useSearchParams();
  if (!query) {
    return (
      <p className="account-lead" role="status">
        {t("account:verify.asking")}
      </p>
    );
  }
  const link = readMailLink(hash);
  if (link.proof) return <CodeStep key={hash} email={link.email} proof={link.proof} services={services} />;
  const email = query.get("email")?.trim() ?? "";
  if (isEmailShaped(email)) return <CodeStep key={email} email={email} services={services} />;
  return (
    <EmailStep
      lead={t("account:verify.emailLead")}
      label={t("account:verify.email")}
      buttonTexts={{ idle: t("account:verify.send"), busy: t("account:verify.sending") }}
      email={email}
      onSubmit={(chosen) => setQuery({ email: chosen })}
    />
  );
}

/** The proof of an e-mail address by a code (specification A 2.9). Whoever has proven theirs goes to their profile. */
export function VerifyEmailPage({ services = BROWSER_SERVICES }: { services?: AccountServices }) {
  const t = useAccountText();
  const { prefix } = usePage();
  const [query, setQuery] = useSearchParams();
  const { hash } = useLocation();
  useSignedIn(services.getSession, ({ user }) => {
    // A link may be another account's than the one that is signed in here.
    if (readMailLink(hash).proof) return;
    if (!needsVerification(user)) services.goTo(`${prefix}/profile`);
    else if (!query.get("email")) setQuery({ email: user.email }, { replace: true });
  });
  return (
    <section className="account-card">
      <h1>{t("account:verify.title")}</h1>
      <ScriptNotes needsScript={t("session:guard.needsScript")} incomplete={t("session:guard.incomplete")} />
      <Step services={services} />
    </section>
  );
}
