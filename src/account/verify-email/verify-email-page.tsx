import { useSearchParams } from "react-router";
import { isEmailShaped } from "#contract/accounts/account-rules.ts";
import { ScriptNotes } from "../../ui/form-messages.tsx";
import { usePage } from "../../ui/page-context.tsx";
import { type AccountServices, BROWSER_SERVICES } from "../account-services.ts";
import { useAccountText } from "../account-text.tsx";
import { needsVerification, useSignedIn } from "../arrival.ts";
import { EmailStep } from "../forms/email-step.tsx";
import { CodeStep } from "../sign-in/verify-email-page.tsx";
import { useHydratedQuery } from "../use-hydrated-query.ts";

/** The server draws one page for all addresses, so it can't know which step comes: what it draws is the wait for that. */
function Step({ services }: { services: AccountServices }) {
  const t = useAccountText();
  const query = useHydratedQuery();
  const [, setQuery] = useSearchParams();
  if (!query) {
    return (
      <p className="account-lead" role="status">
        {t("account:verify.asking")}
      </p>
    );
  }
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
  useSignedIn(services.getSession, ({ user }) => {
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
