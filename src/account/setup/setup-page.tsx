import { ScriptNotes } from "../../ui/form-messages.tsx";
import { SiteLink } from "../../ui/site-link.tsx";
import { BROWSER_SERVICES } from "../account-services.ts";
import { useAccountText } from "../account-text.tsx";
import { SetupForm } from "./setup-form.tsx";
import { type SetupAccess, type SetupServices, useSetupAccess } from "./use-setup.ts";

/** Why there is nothing to set up here, and where else to go. */
function Notice({ title, text }: { title: string; text: string }) {
  const t = useAccountText();
  return (
    <>
      <h1>{title}</h1>
      <p className="account-lead">{text}</p>
      <p>
        <SiteLink className="button" to="/login">
          {t("account:setup.login")}
        </SiteLink>
      </p>
    </>
  );
}

function Content(props: { access: SetupAccess; services: SetupServices; onClosed: () => void }) {
  const { access, ...rest } = props;
  const t = useAccountText();
  switch (access.state) {
    case "closed":
      return <Notice title={t("account:setup.closedTitle")} text={t("account:setup.closed")} />;
    case "no-token":
      return <Notice title={t("account:setup.noTokenTitle")} text={t("account:setup.noToken")} />;
    case "asking":
      return (
        <>
          <h1>{t("account:setup.title")}</h1>
          <p role="status">{t("account:setup.asking")}</p>
        </>
      );
    case "unreachable":
      return (
        <>
          <h1>{t("account:setup.title")}</h1>
          <p className="alert" role="alert">
            {t("session:failure.offline")}
          </p>
          <p>
            <button className="button" type="button" onClick={() => window.location.reload()}>
              {t("session:guard.retry")}
            </button>
          </p>
        </>
      );
    case "open":
      return (
        <>
          <h1>{t("account:setup.title")}</h1>
          <SetupForm token={access.token} {...rest} />
        </>
      );
  }
}

/** The first start's one-time link leads here (`/setup#token`): the owner's account is made once. */
export function SetupPage({ services = BROWSER_SERVICES }: { services?: SetupServices }) {
  const t = useAccountText();
  const { access, close } = useSetupAccess(services);
  return (
    <section className="account-card">
      <ScriptNotes needsScript={t("session:guard.needsScript")} incomplete={t("session:guard.incomplete")} />
      <Content access={access} services={services} onClosed={close} />
    </section>
  );
}
