import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { createSafeStorage } from "#providers/browser-storage.ts";
import type { AuthState } from "#providers/http/auth-state.ts";
import { ScriptNotes } from "../../ui/form-messages.tsx";
import { SiteLink } from "../../ui/links.tsx";
import { useAccountText } from "../account-area.tsx";
import { type AccountServices, BROWSER_SERVICES, useRedirectQuery } from "../account-services.ts";
import { useArrival } from "../arrival.ts";
import { EmailStep } from "../forms/email-step.tsx";
import { storeResendMoment } from "../forms/remembered-registration.ts";
import { readMailLink } from "../forms/send-code.tsx";
import { ResetStep, requestResetCode } from "./reset-step.tsx";

const tabStorage = createSafeStorage(() => globalThis.sessionStorage);
const ADDRESS_KEY = "password-reset-email";

/** The address that a code was sent to, while this tab lives: a reload goes on where it was. */
const readAddress = () => tabStorage.getItem(ADDRESS_KEY) ?? "";
const storeAddress = (email: string) => tabStorage.setItem(ADDRESS_KEY, email);
const forgetAddress = () => tabStorage.removeItem(ADDRESS_KEY);

/** Long enough to read two sentences; the button is for who has. */
const SHOWN_MS = 4000;

/** The new password is set. Goes on by itself. */
function DoneStep({ onGoOn }: { onGoOn: () => void }) {
  const t = useAccountText();
  const statusRef = useRef<HTMLParagraphElement>(null);
  const goOn = useEffectEvent(onGoOn);
  useEffect(() => {
    statusRef.current?.focus();
    const timer = setTimeout(() => goOn(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="account-form">
      <p className="account-success" ref={statusRef} tabIndex={-1} role="status">
        {t("account:forgot.done")}
      </p>
      <button type="button" className="button" onClick={onGoOn}>
        {t("account:forgot.goOn")}
      </button>
    </div>
  );
}

const CODE_HASH = "#code";

type Step =
  | { name: "email" }
  | { name: "code" }
  /** `proof`: of the mail's link. `isConfirmed`: it was good for the address already, and a password is needed now. */
  | { name: "link"; proof: string; isConfirmed: boolean }
  | { name: "done"; state: AuthState };

/** The step by the address, so that Back and a reload do what they say; the address of the person stays in this tab. */
function useStep() {
  const location = useLocation();
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [done, setDone] = useState<AuthState | null>(null);
  const link = readMailLink(location.hash);
  const begin = useEffectEvent(() => setEmail(link.email || readAddress()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the link of a mail may be opened where this page is open already
  useEffect(() => begin(), [location.hash]);
  function toStep(): Step {
    if (done) return { name: "done", state: done };
    // The server draws no step of a link: it doesn't see it.
    if (link.proof && link.email === email) return { name: "link", ...link };
    return email !== "" && location.hash === CODE_HASH ? { name: "code" } : { name: "email" };
  }
  return {
    step: toStep(),
    email,
    /** The digits of the same mail or of another one are left. */
    toDigits() {
      storeAddress(email);
      void navigate({ search: location.search, hash: CODE_HASH }, { replace: true });
    },
    toCode(chosen: string) {
      storeAddress(chosen);
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

function toLeadKey(step: Extract<Step, { name: "code" | "link" }>) {
  if (step.name === "code") return "account:forgot.codeLead";
  return step.isConfirmed ? "account:forgot.confirmedLead" : "account:forgot.linkLead";
}

/** A new password for whoever reads the mail of an account. Never shows whether an address has one. */
export function ForgotPasswordPage({ services = BROWSER_SERVICES }: { services?: AccountServices }) {
  const t = useAccountText();
  const redirect = useRedirectQuery();
  const arrive = useArrival(services.goTo);
  const { step, email, toDigits, toCode, toEmail, finish } = useStep();

  async function send(chosen: string) {
    const retryAfterS = await requestResetCode(services, chosen);
    storeResendMoment("reset", chosen, Date.now() + retryAfterS * 1000);
    toCode(chosen);
  }

  return (
    <section className="account-card">
      <h1>{t(step.name === "link" ? "account:forgot.linkTitle" : "account:forgot.title")}</h1>
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
      {(step.name === "code" || step.name === "link") && (
        <ResetStep
          key={email}
          email={email}
          proof={step.name === "link" ? step.proof : ""}
          lead={t(toLeadKey(step), { email })}
          services={services}
          onOtherEmail={toEmail}
          onDone={finish}
          onLinkOver={toDigits}
        />
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
