import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { AuthState } from "#providers/http/auth-state.ts";
import { ScriptNotes } from "../../ui/form-messages.tsx";
import { SiteLink } from "../../ui/site-link.tsx";
import { type AccountServices, BROWSER_SERVICES } from "../account-services.ts";
import { useAccountText } from "../account-text.tsx";
import { useArrival } from "../arrival.ts";
import { keepResendMoment } from "../code-moments.ts";
import { EmailStep } from "../forms/email-step.tsx";
import {
  forgetAddress,
  keepAddress,
  readAddress,
  readLinkedAddress,
} from "../sign-in/forgot-password-page.tsx";
import { requestResetCode } from "../sign-in/reset-step.tsx";
import { useRedirectQuery } from "../use-hydrated-query.ts";
import { DoneStep } from "./done-step.tsx";
import { ResetStep } from "./reset-step.tsx";

const CODE_HASH = "#code";

type Step = { name: "email" } | { name: "code" } | { name: "done"; state: AuthState };

/** The step by the address, so that Back and a reload do what they say; the address of the person stays in this tab. */
function useStep() {
  const location = useLocation();
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [done, setDone] = useState<AuthState | null>(null);
  const begin = useEffectEvent(() => setEmail(readLinkedAddress(location.hash) || readAddress()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link of a mail may be opened where this page is open already
  useEffect(() => begin(), [location.hash]);
  const isCode = email !== "" && location.hash === CODE_HASH;
  const step: Step = done ? { name: "done", state: done } : { name: isCode ? "code" : "email" };
  return {
    step,
    email,
    toCode(chosen: string) {
      keepAddress(chosen);
      setEmail(chosen);
      void navigate({ search: location.search, hash: CODE_HASH });
    },
    toEmail: () => void navigate({ search: location.search, hash: "" }, { replace: true }),
    finish(state: AuthState) {
      forgetAddress();
      setDone(state);
    },
  };
}

/** A new password for whoever reads the mail of an account. Never tells whether an address has one. */
export function ForgotPasswordPage({ services = BROWSER_SERVICES }: { services?: AccountServices }) {
  const t = useAccountText();
  const redirect = useRedirectQuery();
  const arrive = useArrival(services.goTo);
  const { step, email, toCode, toEmail, finish } = useStep();

  async function send(chosen: string) {
    const retryAfterS = await requestResetCode(services, chosen);
    keepResendMoment("reset", chosen, Date.now() + retryAfterS * 1000);
    toCode(chosen);
  }

  return (
    <section className="account-card">
      <h1>{t("account:forgot.title")}</h1>
      <ScriptNotes needsScript={t("session:guard.needsScript")} incomplete={t("session:guard.incomplete")} />
      {step.name === "email" && (
        <EmailStep
          lead={t("account:forgot.lead")}
          label={t("account:forgot.email")}
          buttonTexts={{ idle: t("account:forgot.send"), busy: t("account:forgot.sending") }}
          email={email}
          onSubmit={send}
        />
      )}
      {step.name === "code" && (
        <ResetStep email={email} services={services} onOtherEmail={toEmail} onDone={finish} />
      )}
      {step.name === "done" && <DoneStep onGoOn={() => arrive(step.state)} />}
      {step.name !== "done" && (
        <p className="account-links">
          <SiteLink to={`/login${redirect}`}>{t("account:forgot.toLogin")}</SiteLink>
        </p>
      )}
    </section>
  );
}
