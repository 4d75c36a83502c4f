import { lazy, Suspense, useEffect, useState } from "react";
import { invitationState } from "#contract/accounts/registration.ts";
import { ScriptNotes } from "../../ui/form-messages.tsx";
import { SiteLink } from "../../ui/links.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { type StepTexts, useAccountText } from "../account-area.tsx";
import {
  type AccountServices,
  BROWSER_SERVICES,
  useHydratedQuery,
  useRedirectQuery,
} from "../account-services.ts";
import { takeInvitation } from "../forms/remembered-registration.ts";

/** The registration itself is in the chunk of its own page. */
const Entrance = lazy(async () => ({
  default: (await import("../entrance-screens.tsx")).EntranceScreen,
}));

type Refusal = "closed" | "required" | "invalid";
type Answer = "asking" | "good" | Refusal;

/** Whether the link of this page lets in. A server that can't be asked is asked again by the form. */
function useInvitation({ getHttp }: Pick<AccountServices, "getHttp">): Answer {
  const { site } = usePage();
  const isHydrated = useHydratedQuery() !== null;
  const [answer, setAnswer] = useState<Answer>(site.registration === "closed" ? "closed" : "asking");
  useEffect(() => {
    if (!isHydrated || site.registration === "closed") return;
    const invitation = takeInvitation();
    if (invitation === undefined) {
      setAnswer("required");
      return;
    }
    let isGone = false;
    const settle = (next: Answer) => !isGone && setAnswer(next);
    getHttp()
      .request("/api/users/invitation/", { method: "POST", body: { invitation }, schema: invitationState })
      .then(
        ({ is_good }) => settle(is_good ? "good" : "invalid"),
        () => settle("good"),
      );
    return () => {
      isGone = true;
    };
  }, [isHydrated, getHttp, site.registration]);
  return answer;
}

const TITLES = {
  closed: "account:admission.closedTitle",
  required: "account:admission.invitedTitle",
  invalid: "account:admission.invalidTitle",
} as const;

/** Why nobody registers here, and where to go on. */
function Refused({ why }: { why: Refusal }) {
  const t = useAccountText();
  const redirect = useRedirectQuery();
  return (
    <section className="account-card">
      <h1>{t(TITLES[why])}</h1>
      <p className="account-lead">{t(`account:admission.${why}`)}</p>
      <p className="account-links">
        <SiteLink to={`/login${redirect}`}>{t("account:admission.login")}</SiteLink>
      </p>
      <p className="account-links">
        <SiteLink to="/contact">{t("account:admission.contact")}</SiteLink>
      </p>
    </section>
  );
}

function Asking() {
  const t = useAccountText();
  return (
    <section className="account-card">
      <h1>{t("account:admission.invitedTitle")}</h1>
      <ScriptNotes needsScript={t("session:guard.needsScript")} incomplete={t("session:guard.incomplete")} />
      <p className="account-lead needs-script" role="status">
        {t("account:admission.asking")}
      </p>
    </section>
  );
}

/** In the place of the registration, where it is closed or by invitation: what holds, or the form for whoever has a link. */
export function AdmissionPage({
  texts,
  services = BROWSER_SERVICES,
}: {
  texts: StepTexts;
  services?: Pick<AccountServices, "getHttp">;
}) {
  const answer = useInvitation(services);
  switch (answer) {
    case "asking":
      return <Asking />;
    case "good":
      return (
        <Suspense fallback={<Asking />}>
          <Entrance data={{ screen: "register" }} texts={texts} />
        </Suspense>
      );
    default:
      return <Refused why={answer} />;
  }
}

/**
 * Where staff decide about new accounts: what somebody whose address is proven waits for, and how they learn of it. It says the
 * same to everybody and asks nobody, so that its address can be opened again at any time, without a session and without scripts.
 */
export function WaitingPage() {
  const t = useAccountText();
  return (
    <section className="account-card">
      <h1>{t("account:waiting.title")}</h1>
      <p className="account-lead">{t("account:waiting.now")}</p>
      <ol className="account-steps">
        <li>{t("account:waiting.decision")}</li>
        <li>{t("account:waiting.mail")}</li>
        <li>{t("account:waiting.then")}</li>
      </ol>
      <p className="account-links">
        <SiteLink to="/login">{t("account:waiting.login")}</SiteLink>
      </p>
      <p className="account-links">
        <SiteLink to="/contact">{t("account:waiting.contact")}</SiteLink>
      </p>
    </section>
  );
}
