import { type FormEvent, useEffect, useState } from "react";
import { findRegistrationFaults, trimRegistration } from "#contract/accounts/account-rules.ts";
import { loginAnswer } from "#contract/accounts/accounts.ts";
import { setupState } from "#contract/accounts/registration.ts";
import { LIMITS } from "#contract/limits.ts";
import { createSafeStorage } from "#providers/browser-storage.ts";
import { HttpError } from "#providers/http/http.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { FormAlert, ScriptNotes } from "../../ui/form-messages.tsx";
import { SiteLink } from "../../ui/links.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useFormFields } from "../../ui/use-form-fields.ts";
import { useAccountText } from "../account-area.tsx";
import { type AccountServices, BROWSER_SERVICES } from "../account-services.ts";
import { toFaultTexts } from "../forms/fault-text.ts";
import { NewPasswordFields } from "../forms/password-fields.tsx";
import { UsernameField } from "../forms/username-field.tsx";

const tabStorage = createSafeStorage(() => globalThis.sessionStorage);
const TOKEN_KEY = "setup-token";

/** The token of the link, taken out of the address bar, which others may see; a reload finds it in this tab. "" without one. */
function takeToken(): string {
  const token = window.location.hash.slice(1);
  if (!token) return tabStorage.getItem(TOKEN_KEY) ?? "";
  tabStorage.setItem(TOKEN_KEY, token);
  // The router keeps what it wants to know of an entry in its state.
  window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
  return token;
}

const forgetToken = () => tabStorage.removeItem(TOKEN_KEY);

type SetupServices = Pick<AccountServices, "getSession" | "getHttp" | "goTo">;

const SETUP_PATH = "/api/users/setup/";

type SetupAccess =
  | { state: "asking" }
  | { state: "unreachable" }
  | { state: "no-token" }
  | { state: "closed" }
  | { state: "open"; token: string };

/** Whether the site still has no owner, and this browser the link. */
function useSetupAccess({ getHttp }: SetupServices) {
  const [access, setAccess] = useState<SetupAccess>({ state: "asking" });
  useEffect(() => {
    let isLeft = false;
    const ask = () => {
      takeToken();
      const toAccess = (isOpen: boolean): SetupAccess => {
        if (!isOpen) return { state: "closed" };
        // As it is by now: an older question may be answered last.
        const token = takeToken();
        return token ? { state: "open", token } : { state: "no-token" };
      };
      getHttp()
        .request(SETUP_PATH, { schema: setupState })
        .then(({ is_open }) => !isLeft && setAccess(toAccess(is_open)))
        .catch((error: unknown) => {
          console.warn("The server could not be asked whether the site has an owner.", error);
          if (!isLeft) setAccess({ state: "unreachable" });
        });
    };
    ask();
    // The link, opened where this page is open already: browsers load nothing for it.
    const onHash = () => window.location.hash !== "" && ask();
    window.addEventListener("hashchange", onHash);
    return () => {
      isLeft = true;
      window.removeEventListener("hashchange", onHash);
    };
  }, [getHttp]);
  return { access, close: () => setAccess({ state: "closed" }) };
}

const SETUP_FIELDS = ["username", "email", "password", "password_confirm"] as const;

/** The owner's account: typed, checked, made, and on to the console. */
function useSetupForm({ getSession, getHttp, goTo }: SetupServices, token: string, onClosed: () => void) {
  const t = useAccountText();
  const [phase, setPhase] = useState<"idle" | "submitting" | "done">("idle");
  const form = useFormFields({
    fields: SETUP_FIELDS,
    findErrors: (values) => toFaultTexts(findRegistrationFaults(trimRegistration(values)), t),
  });

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (phase !== "idle" || !form.checkAll()) return;
    setPhase("submitting");
    try {
      const body = { token, ...trimRegistration(form.read()) };
      const answer = await getHttp().request(SETUP_PATH, { method: "POST", body, schema: loginAnswer });
      forgetToken();
      getSession().adopt(answer);
      setPhase("done");
      goTo("/admin");
    } catch (error) {
      setPhase("idle");
      if (error instanceof HttpError && error.code === "setup_closed") return onClosed();
      const faults = error instanceof HttpError ? error.errors : [];
      form.showRefusal(faults, toFailureText(error, t("account:setup.failed"), t));
    }
  }

  return { form, phase, submit };
}

interface SetupFormProps {
  token: string;
  services: SetupServices;
  /** Somebody else was faster. */
  onClosed: () => void;
}

/** Who will own the site. */
function SetupForm({ token, services, onClosed }: SetupFormProps) {
  const t = useAccountText();
  const { form, phase, submit } = useSetupForm(services, token, onClosed);
  const { values, errors } = form;
  const buttonText = {
    idle: t("account:setup.submit"),
    submitting: t("account:setup.submitting"),
    done: t("account:setup.done"),
  };
  return (
    <>
      <p className="account-lead">{t("account:setup.lead")}</p>
      <form
        ref={form.formRef}
        className="account-form"
        method="post"
        noValidate
        onSubmit={submit}
        {...form.handlers}
      >
        <UsernameField username={values.username} error={errors.username} />
        <TextField
          label={t("account:register.email")}
          error={errors.email}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={LIMITS.emailMaxChars}
          required
        />
        <NewPasswordFields
          password={values.password}
          repeated={values.password_confirm}
          errors={{ password: errors.password, repeated: errors.password_confirm }}
        />
        <FormAlert>{errors.form}</FormAlert>
        <button className="button" type="submit" disabled={phase !== "idle"}>
          {buttonText[phase]}
        </button>
      </form>
    </>
  );
}

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
